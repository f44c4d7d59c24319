//! Answers of the library as Python objects: structures and maps are dictionaries, sequences are lists, and exact numbers
//! are fractions.

use std::fmt::Display;

use pyo3::IntoPyObjectExt as _;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, Serializer,
};

use crate::exact;

/// An answer of `wire` as Python objects.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    answer: &impl Serialize,
) -> PyResult<Bound<'py, PyAny>> {
    answer
        .serialize(ToPython(py))
        .map_err(|Failed(error)| error)
}

#[derive(Clone, Copy)]
struct ToPython<'py>(Python<'py>);

/// Why no object was made.
#[derive(Debug)]
struct Failed(PyErr);

impl From<PyErr> for Failed {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}

impl serde::ser::Error for Failed {
    fn custom<T: Display>(message: T) -> Self {
        Self(PyValueError::new_err(message.to_string()))
    }
}

/// A dictionary, or what an exact number is put together from.
struct Dict<'py> {
    py: Python<'py>,
    name: &'static str,
    dict: Bound<'py, PyDict>,
    key: Option<Bound<'py, PyAny>>,
}

impl<'py> Dict<'py> {
    fn new(py: Python<'py>, name: &'static str) -> Self {
        let dict = PyDict::new(py);
        Self {
            py,
            name,
            dict,
            key: None,
        }
    }

    /// The fraction of a weight and a total, without end if the total is 0.
    fn quotient(&self) -> PyResult<Bound<'py, PyAny>> {
        let part = |key| self.dict.as_any().get_item(key);
        let (weight, total) = (part("weight")?, part("total")?);
        match total.is_truthy()? {
            true => weight.div(total),
            false => part("probability"),
        }
    }

    fn finish(self) -> Result<Bound<'py, PyAny>, Failed> {
        match self.name {
            "Fraction" => return Ok(self.dict.as_any().get_item("fraction")?),
            "Weighted" => return Ok(self.quotient()?),
            "Outcome" => {
                self.dict.set_item("probability", self.quotient()?)?;
                self.dict.del_item("weight")?;
                self.dict.del_item("total")?;
            }
            _ => {}
        }
        Ok(self.dict.into_any())
    }
}

impl<'py> SerializeStruct for Dict<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Failed> {
        let value = value.serialize(ToPython(self.py))?;
        Ok(self.dict.set_item(PyString::intern(self.py, key), value)?)
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        self.finish()
    }
}

impl<'py> SerializeMap for Dict<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        self.key = Some(key.serialize(ToPython(self.py))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let key = self.key.take().expect("a key comes before its value");
        let value = value.serialize(ToPython(self.py))?;
        Ok(self.dict.set_item(key, value)?)
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        self.finish()
    }
}

/// A list.
struct List<'py>(Bound<'py, PyList>);

impl<'py> SerializeSeq for List<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let value = value.serialize(ToPython(self.0.py()))?;
        Ok(self.0.append(value)?)
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        Ok(self.0.into_any())
    }
}

impl<'py> SerializeTuple for List<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<Self::Ok, Failed> {
        SerializeSeq::end(self)
    }
}

/// What answers are not made of.
type Never<'py> = Impossible<Bound<'py, PyAny>, Failed>;

macro_rules! as_python_does {
    ($($method:ident: $type:ty),* $(,)?) => {
        $(fn $method(self, value: $type) -> Result<Self::Ok, Failed> {
            Ok(value.into_bound_py_any(self.0)?)
        })*
    };
}

impl<'py> Serializer for ToPython<'py> {
    type Ok = Bound<'py, PyAny>;
    type Error = Failed;
    type SerializeSeq = List<'py>;
    type SerializeTuple = List<'py>;
    type SerializeTupleStruct = Never<'py>;
    type SerializeTupleVariant = Never<'py>;
    type SerializeMap = Dict<'py>;
    type SerializeStruct = Dict<'py>;
    type SerializeStructVariant = Never<'py>;

    as_python_does! {
        serialize_bool: bool,
        serialize_i8: i8,
        serialize_i16: i16,
        serialize_i32: i32,
        serialize_i64: i64,
        serialize_u8: u8,
        serialize_u16: u16,
        serialize_u32: u32,
        serialize_u64: u64,
        serialize_f32: f32,
        serialize_f64: f64,
        serialize_char: char,
        serialize_str: &str,
        serialize_bytes: &[u8],
    }

    fn serialize_none(self) -> Result<Self::Ok, Failed> {
        Ok(self.0.None().into_bound(self.0))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Failed> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Self::Ok, Failed> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok, Failed> {
        self.serialize_none()
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Self::Ok, Failed> {
        self.serialize_str(variant)
    }

    /// Exact numbers are told by the name of their type.
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Failed> {
        let value = value.serialize(self)?;
        match name {
            "Exact" => Ok(exact::read(
                self.0,
                &value.cast::<PyString>().map_err(PyErr::from)?.to_cow()?,
            )?),
            _ => Ok(value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Failed> {
        let mut map = self.serialize_map(Some(1))?;
        map.serialize_entry(variant, value)?;
        SerializeMap::end(map)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'py>, Failed> {
        Ok(List(PyList::empty(self.0)))
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'py>, Failed> {
        self.serialize_seq(None)
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Never<'py>, Failed> {
        Err(no_part(name))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never<'py>, Failed> {
        Err(no_part(name))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Dict<'py>, Failed> {
        Ok(Dict::new(self.0, ""))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Dict<'py>, Failed> {
        Ok(Dict::new(self.0, name))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never<'py>, Failed> {
        Err(no_part(name))
    }
}

fn no_part(name: &str) -> Failed {
    serde::ser::Error::custom(format!("answers have no `{name}`"))
}
