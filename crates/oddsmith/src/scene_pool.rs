//! The points of a scene, as they are asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The points of a scene: of the one resource that is spent in it, or of several by their names.
///
/// ```
/// use oddsmith::ScenePool;
/// assert_eq!("5".parse(), Ok(ScenePool::Points(5)));
/// let both: ScenePool = "effort=4, hope=3".parse()?;
/// assert_eq!(both.to_string(), "effort=4,hope=3");
/// assert!("effort=4,effort=3".parse::<ScenePool>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "the points of a scene are a number from 0 on, or such a number for each name of a resource"
)]
pub enum ScenePool {
    /// Of the resource that is asked for, or the first that fits.
    Points(u32),
    /// Of each of these resources, by their names.
    ByResource(BTreeMap<String, u32>),
}

impl From<u32> for ScenePool {
    fn from(points: u32) -> Self {
        Self::Points(points)
    }
}

impl fmt::Display for ScenePool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => points.fmt(f),
            Self::ByResource(pools) => {
                let pools = pools
                    .iter()
                    .map(|(name, points)| format!("{name}={points}"));
                f.write_str(&pools.collect::<Vec<_>>().join(","))
            }
        }
    }
}

impl FromStr for ScenePool {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.contains('=') {
            return points(text).map(Self::Points);
        }
        let mut pools = BTreeMap::new();
        for item in text.split(',') {
            let Some((name, own)) = item.split_once('=') else {
                return Err(format!("`{}` is not RESOURCE=POINTS", item.trim()));
            };
            let name = name.trim();
            if pools.insert(name.to_owned(), points(own)?).is_some() {
                return Err(format!("`{name}` has points twice"));
            }
        }
        Ok(Self::ByResource(pools))
    }
}

/// A number of points.
fn points(text: &str) -> Result<u32, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("`{text}` is no number of points from 0 to {}", u32::MAX))
}
