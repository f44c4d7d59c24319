//! Draws a gallery to be looked at: `scripts/gallery PICTURES` writes the tables it needs, and runs it.

#[path = "../tests/figures/mod.rs"]
mod figures;

use std::error::Error;
use std::path::Path;

use oddsmith_numbers::decimal::exact_decimal;
use oddsmith_numbers::value;
use oddsmith_report::{
    Axis, Bands, Figure, Grid, Heatmap, Lines, Plot, Pmf, PmfBars, RBig, Theme, Unit, Values, png,
    svg,
};

/// A table of a few columns: a name for each, and numbers or words.
struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn read(path: &Path) -> Result<Self, Box<dyn Error>> {
        let text = std::fs::read_to_string(path)?;
        let mut rows = text
            .lines()
            .map(|line| line.split(',').map(str::to_owned).collect());
        Ok(Self {
            head: rows.next().ok_or("an empty table")?,
            rows: rows.collect(),
        })
    }

    fn column(&self, name: &str) -> usize {
        self.head
            .iter()
            .position(|head| head == name)
            .expect("a column of the table")
    }

    /// The values of a column, in their order, each once.
    fn values(&self, name: &str) -> Vec<String> {
        let column = self.column(name);
        let mut values: Vec<String> = Vec::new();
        for row in &self.rows {
            if !values.contains(&row[column]) {
                values.push(row[column].clone());
            }
        }
        values
    }

    fn axis(&self, name: &str) -> Axis {
        let values = self.values(name);
        let numbers: Result<Vec<i64>, _> = values.iter().map(|v| v.parse()).collect();
        Axis {
            name: name.to_owned(),
            values: numbers.map_or(Values::Labels(values), Values::Numbers),
        }
    }

    /// The number in a column of the row where other columns have these values.
    fn number(&self, column: &str, place: &[(&str, &str)]) -> Option<RBig> {
        let fits = |row: &&Vec<String>| {
            place
                .iter()
                .all(|(name, value)| row[self.column(name)] == *value)
        };
        exact_decimal(&self.rows.iter().find(fits)?[self.column(column)])
    }

    /// The shares of bands along an axis where other columns have these values.
    fn shares(
        &self,
        axis: &str,
        bands: &[String],
        place: &[(&str, &str)],
    ) -> Vec<Option<Vec<RBig>>> {
        let values = self.values(axis);
        let shares = values.iter().map(|value| {
            let mut place = place.to_vec();
            place.push((axis, value));
            bands.iter().map(|band| self.number(band, &place)).collect()
        });
        shares.collect()
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn headings(name: &str, values: &[String]) -> Vec<String> {
    values
        .iter()
        .map(|value| format!("{name} = {value}"))
        .collect()
}

fn band_figure(
    table: &Table,
    title: &str,
    x: &str,
    names: &[&str],
    rows: &str,
    columns: &str,
) -> Figure {
    let bands = words(names);
    let values = |name: &str| {
        if name.is_empty() {
            vec![String::new()]
        } else {
            table.values(name)
        }
    };
    let (down, along) = (values(rows), values(columns));
    let mut panels = Vec::new();
    for row in &down {
        for column in &along {
            let place: Vec<(&str, &str)> = [(rows, row.as_str()), (columns, column.as_str())]
                .into_iter()
                .filter(|(name, _)| !name.is_empty())
                .collect();
            panels.push(table.shares(x, &bands, &place));
        }
    }
    let heads = |name: &str, values: &[String]| {
        if name.is_empty() {
            vec![String::new()]
        } else {
            headings(name, values)
        }
    };
    Figure {
        title: title.to_owned(),
        subtitle: "odds of the shipped rules".to_owned(),
        plot: Plot::Bands(Bands {
            x: table.axis(x),
            bands,
            shares: Grid {
                columns: heads(columns, &along),
                rows: heads(rows, &down),
                panels,
            },
        }),
    }
}

fn line_figure(table: &Table, title: &str, x: &str, by: &str, number: &str, unit: Unit) -> Figure {
    let series = table.values(by);
    let line = |name: &String| {
        let values = table.values(x);
        let numbers = values
            .iter()
            .map(|v| table.number(number, &[(x, v), (by, name)]));
        numbers.collect::<Vec<_>>()
    };
    let values = Grid::of(series.iter().map(line).collect());
    Figure {
        title: title.to_owned(),
        subtitle: "Stars & Signs, check: skill_rank = 0, state = ok".to_owned(),
        plot: Plot::Lines(Lines {
            x: table.axis(x),
            unit,
            y: number.to_owned(),
            by: by.to_owned(),
            series,
            values,
        }),
    }
}

fn map_figure(
    table: &Table,
    title: &str,
    x: &str,
    y: &str,
    number: &str,
    unit: Unit,
    less: &RBig,
) -> Figure {
    let rows = table.values(y);
    let row = |up: &String| {
        let values = table.values(x);
        let cells = values
            .iter()
            .map(|v| Some(table.number(number, &[(x, v), (y, up)])? - less));
        cells.collect::<Vec<_>>()
    };
    let cells = Grid::of(rows.iter().map(row).collect());
    Figure {
        title: title.to_owned(),
        subtitle: "Stars & Signs, check: ability_rank = 4, skill_rank = 0".to_owned(),
        plot: Plot::Heatmap(Heatmap {
            x: table.axis(x),
            y: table.axis(y),
            unit,
            number: if *less > RBig::ZERO {
                format!("{number} - {}", value(less))
            } else {
                number.to_owned()
            },
            cells,
        }),
    }
}

fn distribution(table: &Table, thresholds: &[i64]) -> PmfBars {
    let column = |name: &str| {
        table
            .rows
            .iter()
            .map(|row| row[table.column(name)].clone())
            .collect::<Vec<_>>()
    };
    let outcomes: Vec<i64> = column("outcome")
        .iter()
        .map(|v| v.parse().expect("an outcome"))
        .collect();
    let numbers = |name: &str| {
        column(name)
            .iter()
            .map(|v| exact_decimal(v).expect("a number"))
            .collect::<Vec<RBig>>()
    };
    let shares = outcomes
        .iter()
        .zip(numbers("probability"))
        .map(|(outcome, p)| {
            let band = thresholds
                .iter()
                .filter(|threshold| outcome >= threshold)
                .count();
            (0..=thresholds.len())
                .map(|place| if place == band { p.clone() } else { RBig::ZERO })
                .collect()
        });
    PmfBars {
        shares: shares.collect(),
        at_least: numbers("at_least"),
        outcomes,
    }
}

fn pmf_figure(title: &str, bands: &[&str], bars: Grid<PmfBars>) -> Figure {
    Figure {
        title: title.to_owned(),
        subtitle: "Stars & Signs, check: ability_rank = 4".to_owned(),
        plot: Plot::Pmf(Pmf {
            x: "total".to_owned(),
            bands: words(bands),
            bars,
        }),
    }
}

const STARS: [&str; 4] = ["Miss", "Graze", "Hit", "Critical"];
const SECRETS: [&str; 4] = ["1-3", "4/5", "6", "Critical"];

type Named = Vec<(&'static str, Figure)>;

fn all_bands(tables: &Path) -> Result<Named, Box<dyn Error>> {
    let read = |name: &str| Table::read(&tables.join(name));
    let (boons, six, pools) = (read("ss.csv")?, read("ss6.csv")?, read("ac.csv")?);
    let (secrets, fortune) = (read("bs.csv")?, read("bsf.csv")?);
    let draw = band_figure;
    Ok(vec![
        (
            "bands-1",
            draw(&fortune, "Fortune rolls by dice", "dice", &SECRETS, "", ""),
        ),
        (
            "bands-facets",
            draw(
                &boons,
                "What a Boon is worth",
                "circ_boons",
                &STARS,
                "",
                "ability_rank",
            ),
        ),
        (
            "bands-3x2",
            draw(
                &six,
                "Boons and skill",
                "circ_boons",
                &STARS,
                "skill_rank",
                "ability_rank",
            ),
        ),
        (
            "bands-cuts",
            draw(
                &pools,
                "What Cuts take away",
                "pool",
                &["Miss", "Glance", "Hit"],
                "",
                "cuts",
            ),
        ),
        (
            "bands-secrets",
            draw(
                &secrets,
                "Dice beside the rating",
                "rating",
                &SECRETS,
                "",
                "extra",
            ),
        ),
    ])
}

fn lines_and_maps(tables: &Path) -> Result<Named, Box<dyn Error>> {
    let read = |name: &str| Table::read(&tables.join(name));
    let (boons, heat) = (read("ss.csv")?, read("heat.csv")?);
    let (hit, mean) = ("P(band>=Hit)", "mean(total)");
    let map = |title, number, unit, less| {
        map_figure(
            &heat,
            title,
            "circ_boons",
            "ability_boons",
            number,
            unit,
            &less,
        )
    };
    let line = |title, x, by, number, unit| line_figure(&boons, title, x, by, number, unit);
    Ok(vec![
        (
            "heat-hit",
            map("Boons on both pools", hit, Unit::Probability, RBig::ZERO),
        ),
        (
            "heat-mean",
            map("The mean total", mean, Unit::Number, RBig::ZERO),
        ),
        (
            "heat-diverging",
            map(
                "The mean beside that of no Boons",
                mean,
                Unit::Number,
                RBig::from_parts(29.into(), 2_u8.into()),
            ),
        ),
        (
            "lines-hit",
            line(
                "Hit or better",
                "circ_boons",
                "ability_rank",
                hit,
                Unit::Probability,
            ),
        ),
        (
            "lines-mean",
            line(
                "The mean total",
                "ability_rank",
                "circ_boons",
                mean,
                Unit::Number,
            ),
        ),
    ])
}

fn distributions(tables: &Path) -> Result<Named, Box<dyn Error>> {
    let read = |name: &str, steps: &[i64]| -> Result<PmfBars, Box<dyn Error>> {
        Ok(distribution(&Table::read(&tables.join(name))?, steps))
    };
    let steps = [10, 15, 20];
    let (small, middle) = (read("2d10.csv", &steps)?, read("2d10+1d6.csv", &steps)?);
    let (large, plain) = (read("2d10+1d12.csv", &steps)?, read("2d10+1d12.csv", &[])?);
    let three = Grid {
        columns: words(&["2d10", "2d10 + 1d6", "2d10 + 1d12"]),
        rows: words(&[""]),
        panels: vec![small.clone(), middle.clone(), large],
    };
    Ok(vec![
        (
            "pmf-bands",
            pmf_figure("The total of 2d10 + 1d6", &STARS, Grid::of(middle)),
        ),
        (
            "pmf-plain",
            pmf_figure("The total of 2d10 + 1d12", &[], Grid::of(plain)),
        ),
        (
            "pmf-three",
            pmf_figure("What a larger Ability die does", &STARS, three),
        ),
        (
            "pmf-small",
            pmf_figure("The total of 2d10", &STARS, Grid::of(small)),
        ),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(tables), Some(pictures)) = (arguments.next(), arguments.next()) else {
        return Err("gallery TABLES PICTURES".into());
    };
    std::fs::create_dir_all(&pictures)?;
    let tables = Path::new(&tables);
    let odds = [
        all_bands(tables)?,
        lines_and_maps(tables)?,
        distributions(tables)?,
    ]
    .concat();
    for (name, figure) in odds.into_iter().chain(figures::all()) {
        for (theme, suffix) in [
            (Theme::Light, "light"),
            (Theme::Dark, "dark"),
            (Theme::Print, "print"),
        ] {
            let path = Path::new(&pictures).join(format!("{name}-{suffix}"));
            std::fs::write(path.with_extension("svg"), svg(&figure, theme)?)?;
            std::fs::write(path.with_extension("png"), png(&figure, theme)?)?;
        }
    }
    Ok(())
}
