//! Text in aligned columns, for views that do not make documents yet.

pub(crate) use crate::document::{Align, Cell, Grid};
