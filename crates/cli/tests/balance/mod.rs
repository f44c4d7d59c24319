//! `oddsmith balance`.

mod value;
