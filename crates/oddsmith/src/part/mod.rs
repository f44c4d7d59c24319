//! Parts of a job: work that several machines share, and what is put together of it.
//!
//! A job is a list of units of work in a fixed order: the configurations of a table, the candidates of a search, the chunks
//! of trials of a simulation. A part does a contiguous range of them, and its file says what it is part of. Whoever has all
//! parts asks the question again with what they hold in place of the work, so that the answer is the one of
//! a single process: the same code makes it.
//!
//! What a table, a search or a simulation finds is written as rows, candidates or counts. Questions that ask for many
//! things, such as what is odd about a game, note every question to the exact engine with its answer, and whoever has all
//! parts asks with these known ([`Whole::limits`]). What no part has asked is worked out then.
//!
//! ```
//! use oddsmith::part::{Job, PartNumber, Parts, Source};
//! use oddsmith::{Game, Limits, TableRequest};
//! let game = Game::open("stars-and-signs")?;
//! let request = TableRequest { sweeps: vec!["circ_boons=-5..=5".to_owned()], ..TableRequest::default() };
//! let table = game.table(&request)?;
//! let job = Job::of(&game, "table", &request)?;
//! let part = |text: &str| {
//!     let number = text.parse::<PartNumber>().expect("a part");
//!     table.part(&job, number, &Limits::default(), Vec::new())
//! };
//! let sources = [Source::from(part("2/2")?.0), Source::from(part("1/2")?.0)];
//! let whole = Parts::read(sources)?.whole()?;
//! whole.demand(&job)?;
//! let limits = Limits::default();
//! assert_eq!(table.merged(&whole, &limits)?, table.rows(&limits)?);
//! # Ok::<(), oddsmith::Error>(())
//! ```

mod file;
mod job;
mod number;
mod parts;
mod pieces;
mod transcript;

pub use file::PartWriter;
pub(crate) use file::unwritable;
pub use job::{Job, JobFile};
pub use number::PartNumber;
pub use parts::{Lines, Parts, Source, Whole};
pub(crate) use pieces::Pieces;
pub(crate) use transcript::transcribe;
