//! Parts that were read, of one job.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::Arc;

use oddsmith_analysis::rows::LineSource;
use oddsmith_rules::one_line;
use serde::de::DeserializeOwned;

use super::file::{END, FORM, Head};
use super::job::Job;
use super::number::PartNumber;
use crate::{Error, reason, text_file};

/// Bytes that a line may have.
const LONGEST_LINE: u64 = 1 << 28;

/// Missing parts that are named.
const MOST_NAMED: usize = 20;

/// Where parts are read.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Bytes that are there already.
    Bytes(Arc<[u8]>),
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes.into())
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "`{}`", path.display()),
            Self::Bytes(_) => f.write_str("a part"),
        }
    }
}

/// What can be read, and gone to a place of.
trait Readable: BufRead + Seek {}
impl<T: BufRead + Seek> Readable for T {}

impl Source {
    fn open(&self) -> Result<Box<dyn Readable>, Error> {
        Ok(match self {
            Self::File(path) => {
                let file: File = text_file::open(path).map_err(|error| self.unreadable(&error))?;
                Box::new(BufReader::with_capacity(1 << 16, file))
            }
            Self::Bytes(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        })
    }

    fn unreadable(&self, error: &io::Error) -> Error {
        Error::advice(format!("can't read {self}: {}", reason(error)), "")
    }

    fn broken(&self, why: &str) -> Error {
        let help = "a part is written by `--part`, whole or not at all; make it anew";
        Error::advice(format!("{self} is not a part of a job: {why}"), help)
    }
}

/// Where the lines of a part are.
#[derive(Clone, Debug)]
struct Section {
    source: Source,
    /// Where its first line begins, what it is.
    from: u64,
    /// Where its results begin.
    results: u64,
    /// How many there are.
    lines: u64,
    /// Where it ends.
    until: u64,
}

/// Parts of one job, in any order and of any number of files.
#[derive(Clone, Debug)]
pub struct Parts {
    job: Job,
    of: u64,
    sections: BTreeMap<u64, Section>,
}

/// All parts of a job.
#[derive(Clone, Debug)]
pub struct Whole(Parts);

impl Parts {
    /// The parts of these sources. Their results are not read yet, only counted.
    ///
    /// # Errors
    /// If a source can't be read or is no part, if parts are of different jobs, or if one comes twice.
    pub fn read(sources: impl IntoIterator<Item = Source>) -> Result<Self, Error> {
        let mut all: Option<Self> = None;
        for source in sources {
            let mut reader = source.open()?;
            let mut from = 0;
            while let Some((head, section)) = section(&source, &mut reader, from)? {
                from = section.until;
                let parts = all.get_or_insert_with(|| Self {
                    job: head.job.clone(),
                    of: head.number.of(),
                    sections: BTreeMap::new(),
                });
                parts.add(&head, section)?;
            }
        }
        let none = || Error::advice("there are no parts to put together", "name their files");
        all.ok_or_else(none)
    }

    fn add(&mut self, head: &Head, section: Section) -> Result<(), Error> {
        let source = &section.source;
        if let Some(how) = self.job.differs(&head.job) {
            let message = format!("{source} is of another job: {how}");
            let help = "parts are put together that were made by one command, of the same files";
            return Err(Error::advice(message, help));
        }
        if head.number.of() != self.of {
            let message = format!(
                "{source} is part {}, and the others are of {}",
                head.number, self.of
            );
            return Err(Error::advice(message, "all parts are cut alike"));
        }
        if let Some(known) = self.sections.get(&head.number.number()) {
            let message = format!(
                "part {} comes twice: in {} and in {source}",
                head.number, known.source
            );
            return Err(Error::advice(message, "leave one of them out"));
        }
        self.sections.insert(head.number.number(), section);
        Ok(())
    }

    /// What they are parts of.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// How many parts the job has.
    pub fn of(&self) -> u64 {
        self.of
    }

    /// The numbers of the parts that are not there.
    pub fn missing(&self) -> impl Iterator<Item = u64> {
        (1..=self.of).filter(|number| !self.sections.contains_key(number))
    }

    /// All parts.
    ///
    /// # Errors
    /// If some are missing; they are named.
    pub fn whole(self) -> Result<Whole, Error> {
        let missing = self.of - self.sections.len() as u64;
        if missing == 0 {
            return Ok(Whole(self));
        }
        let named: Vec<String> = { self.missing() }
            .take(MOST_NAMED)
            .map(|number| format!("{number}/{}", self.of))
            .collect();
        let more = match missing.saturating_sub(MOST_NAMED as u64) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let (noun, verb) = if missing == 1 {
            ("part", "is")
        } else {
            ("parts", "are")
        };
        let message = format!("{noun} {}{more} {verb} missing", named.join(", "));
        let help =
            "add their files, or put together what there is as a larger part with `--partial`";
        Err(Error::advice(message, help))
    }

    /// Writes what there is as one file of parts, in their order: the same file whatever order they came in.
    ///
    /// # Errors
    /// If a part can't be read any more.
    pub fn write(&self, mut out: impl FnMut(&[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut buffer = vec![0; 1 << 16];
        for section in self.sections.values() {
            let unreadable = |error: io::Error| section.source.unreadable(&error);
            let mut reader = section.source.open()?;
            reader
                .seek(SeekFrom::Start(section.from))
                .map_err(unreadable)?;
            let mut rest = reader.take(section.until - section.from);
            loop {
                match rest.read(&mut buffer).map_err(unreadable)? {
                    0 => break,
                    read => out(&buffer[..read])?,
                }
            }
        }
        Ok(())
    }
}

impl Whole {
    /// What they are parts of.
    pub fn job(&self) -> &Job {
        &self.0.job
    }

    /// Refuses a job that is not theirs, as where a file has changed since.
    ///
    /// # Errors
    /// How it differs.
    pub fn demand(&self, job: &Job) -> Result<(), Error> {
        let theirs = Job {
            command: job.command.clone(),
            ..self.0.job.clone()
        };
        let Some(how) = job.differs(&theirs) else {
            return Ok(());
        };
        let how = match job.engine == theirs.engine {
            true => how.replace(" when it was made", " when the parts were made"),
            false => format!(
                "they are of version {}, and this is {}",
                one_line(&theirs.engine),
                job.engine
            ),
        };
        let help = "make them anew, or put them together with what they were made of";
        Err(Error::advice(
            format!("the parts are of another job: {how}"),
            help,
        ))
    }

    /// The lines of all results, in the order of the units of work.
    pub fn lines(&self) -> Lines<'_> {
        Lines {
            sections: self.0.sections.values().collect(),
            reader: None,
            line: Vec::new(),
        }
    }

    /// The results of all parts.
    ///
    /// # Errors
    /// If one can't be read.
    pub fn results<T: DeserializeOwned>(&self) -> Result<Vec<T>, Error> {
        let (mut lines, mut results) = (self.lines(), Vec::new());
        while let Some(line) = lines.next_line()? {
            let result = serde_json::from_slice(line);
            results.push(result.map_err(|error| lines.broken(&error.to_string()))?);
        }
        Ok(results)
    }
}

/// The lines of results, one after the other; one file is open at a time.
pub struct Lines<'w> {
    /// The section that is being read, and those after it.
    sections: VecDeque<&'w Section>,
    reader: Option<(Box<dyn Readable>, u64)>,
    line: Vec<u8>,
}

impl Lines<'_> {
    /// The next line without its end; none after the last.
    ///
    /// # Errors
    /// If it can't be read.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        loop {
            let Some(section) = self.sections.front() else {
                return Ok(None);
            };
            let unreadable = |error: io::Error| section.source.unreadable(&error);
            let (reader, left) = match &mut self.reader {
                Some(open) => open,
                None => {
                    let mut reader = section.source.open()?;
                    let at = SeekFrom::Start(section.results);
                    reader.seek(at).map_err(unreadable)?;
                    self.reader.insert((reader, section.lines))
                }
            };
            if *left == 0 {
                self.sections.pop_front();
                self.reader = None;
                continue;
            }
            *left -= 1;
            self.line.clear();
            reader
                .read_until(b'\n', &mut self.line)
                .map_err(unreadable)?;
            if self.line.pop() != Some(b'\n') {
                return Err(section.source.broken("it became shorter"));
            }
            return Ok(Some(&self.line));
        }
    }

    /// The error that the line at hand is none that a part has.
    pub(crate) fn broken(&self, why: &str) -> Error {
        match self.sections.front() {
            Some(section) => section.source.broken(why),
            None => Error::advice(format!("a part is broken: {why}"), ""),
        }
    }
}

impl LineSource for Lines<'_> {
    type Error = Error;

    fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        Lines::next_line(self)
    }

    fn broken(&self, why: &str) -> Error {
        Lines::broken(self, why)
    }
}

/// The part that begins at a place of a source; none at its end.
fn section(
    source: &Source,
    reader: &mut Box<dyn Readable>,
    from: u64,
) -> Result<Option<(Head, Section)>, Error> {
    let unreadable = |error: io::Error| source.unreadable(&error);
    let mut line = Vec::new();
    let read = reader.take(LONGEST_LINE).read_until(b'\n', &mut line);
    if read.map_err(unreadable)? == 0 {
        return match from {
            0 => Err(source.broken("it is empty")),
            _ => Ok(None),
        };
    }
    let form: Result<Form, _> = serde_json::from_slice(&line);
    let form = form.map_err(|_| source.broken("its first line does not say what it is"))?;
    if form.form != FORM {
        let why = format!("its form is {}, and this version reads {FORM}", form.form);
        return Err(source.broken(&why));
    }
    let head: Head = serde_json::from_slice(&line)
        .map_err(|error| source.broken(&format!("its first line: {error}")))?;
    let number = PartNumber::new(head.number.number(), head.number.of());
    number.map_err(|why| source.broken(&why))?;
    let results = from + line.len() as u64;
    let (mut lines, mut until) = (0, results);
    loop {
        line.clear();
        let read = reader.take(LONGEST_LINE).read_until(b'\n', &mut line);
        let read = read.map_err(unreadable)?;
        until += read as u64;
        if line.last() != Some(&b'\n') {
            return Err(source.broken("it ends before its end"));
        }
        if let Some(count) = line.strip_prefix(END.as_bytes()) {
            if count.trim_ascii() != lines.to_string().as_bytes() {
                return Err(source.broken("lines of it are missing"));
            }
            let section = Section {
                source: source.clone(),
                from,
                results,
                lines,
                until,
            };
            return Ok(Some((head, section)));
        }
        lines += 1;
    }
}

/// The version of a file's form, whatever else it says.
#[derive(serde::Deserialize)]
struct Form {
    #[serde(rename = "oddsmith-part")]
    form: u32,
}
