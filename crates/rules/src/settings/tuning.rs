//! Dials and goals as users write them: `boon_cap=3..=6`, `Hit @ circ_boons=2 in [0.5, 0.6]`.

use std::ops::Range;
use std::sync::Arc;

use dashu_ratio::RBig;

use crate::check::{Check, QueryKind, Role};
use crate::expectation::Bounds;
use crate::model::Model;
use crate::number::Number;
use crate::program::InputId;
use crate::settings::names::base;
use crate::source::{Diagnostic, Diagnostics, Source, Span, nearest, there_are};
use crate::tuning::{Aim, Dial, Goal};

/// What a goal can say, for messages.
const GOAL_FORMS: &str = "a goal is 'QUERY @ name=value in [a, b]', 'QUERY @ name=value at least a', '… at most b', or '… ~ x weight w'; \
                          without @ it is about the default configuration";

impl Check {
    /// What `boon_cap=3..=6`, `ladder[3]=8,10`, `cap_order=all` or `ladder=[0,4,6],[0,6,8]` lets vary; a name alone takes
    /// all its values, if they are few.
    ///
    /// # Errors
    /// As [`Check::sweep`]; and if it is about an axis, since that is no part of the design.
    pub fn dial(&self, text: &str, origin: &str) -> Result<Dial, Diagnostic> {
        let name = text.split('=').next().unwrap_or_default().trim();
        let elements = self.elements(name);
        if !elements.is_empty() && text.contains("=") {
            return self.list_dial(text, (name, elements), origin);
        }
        let range = self.range(text, origin, &[])?;
        let input = &self.inputs[range.input.0];
        if input.role == Role::Axis {
            return Err(self.no_parameter(&Source::new(origin, text), name));
        }
        Ok(Dial {
            name: input.name.clone(),
            inputs: vec![range.input],
            options: range.values.into_iter().map(|value| vec![value]).collect(),
        })
    }

    /// A list of which several versions are tried, each a list in brackets.
    fn list_dial(
        &self,
        text: &str,
        (name, elements): (&str, Vec<InputId>),
        origin: &str,
    ) -> Result<Dial, Diagnostic> {
        let source = Source::new(origin, text);
        let (_, value, at) = self.split(&source, "name=VALUES")?;
        if !value.trim_start().starts_with('[') {
            return Err(self.list_as_a_whole(&source, name, &format!("={}", value.trim())));
        }
        let mut options: Vec<Vec<i64>> = Vec::new();
        for piece in pieces(value, |rest| rest.starts_with(',')) {
            let (start, list) = (at + piece.start, &value[piece]);
            let mut config = self.defaults();
            // With blanks, so that places in it are places in the whole text.
            let blanks = " ".repeat(start - name.len() - 1);
            let assignment = format!("{name}={blanks}{list}");
            let set = self.set(&mut config, &assignment, origin);
            set.map_err(|error| error.moved(&source, 0))?;
            let option: Vec<i64> = elements.iter().map(|id| config[*id]).collect();
            if options.contains(&option) {
                let span = Span::new(start, start + list.len());
                let error = Diagnostic::new(&source, span, "this list is there twice");
                return Err(error.with_label("again here"));
            }
            options.push(option);
        }
        Ok(Dial {
            name: name.to_owned(),
            inputs: elements,
            options,
        })
    }

    /// What is said of an axis where a parameter was due.
    fn no_parameter(&self, source: &Arc<Source>, name: &str) -> Diagnostic {
        let mut names: Vec<&str> = Vec::new();
        for input in self.inputs.iter() {
            let name = base(&input.name);
            if input.role == Role::Parameter && !names.contains(&name) {
                names.push(name);
            }
        }
        let known = match names.as_slice() {
            [] => "these rules have no parameters, which are what varies".to_owned(),
            names => format!("the parameters are {}", names.join(", ")),
        };
        let message = format!("`{name}` is an axis: it differs from roll to roll");
        Diagnostic::new(source, Span::new(0, name.len()), message)
            .with_label("not a part of the design")
            .with_help(format!(
                "write a goal for each value that matters, 'QUERY @ {name}=…'; `oddsmith table … --sweep {name}` has the odds of each; {known}"
            ))
    }
}

impl Model {
    /// The check or the track of that name.
    #[must_use]
    pub fn check_or_track(&self, name: &str) -> Option<&Check> {
        self.check(name).or_else(|| self.track(name))
    }

    /// The goal that a text says, such as `Hit @ circ_boons=2 in [0.5, 0.6]` or `mean(total) ~ 14 weight 2`. It is about
    /// `check`, unless it begins with the name of another: `counter: mean(rolls) @ slots=10 at most 6`.
    ///
    /// # Errors
    /// If it does not read as a goal, or as [`Check::query`] and [`Check::set`].
    pub fn goal(&self, check: &Check, text: &str, origin: &str) -> Result<Goal, Diagnostics> {
        let source = Source::new(origin, text);
        let (about, aim) = aim_of(&source)?;
        self.goal_of(check, (&source, about), aim)
    }

    /// The goal that some odds stay as they are: `Hit @ state=broken`, or `Hit @ state=broken within 1 %`.
    ///
    /// # Errors
    /// As [`Model::goal`].
    pub fn keep(&self, check: &Check, text: &str, origin: &str) -> Result<Goal, Diagnostics> {
        let source = Source::new(origin, text);
        let (about, within) = match text.rfind(" within ") {
            Some(at) => {
                let place = Span::new(at + " within ".len(), text.len());
                (0..at, number(&source, place, |least| *least >= RBig::ZERO)?)
            }
            None => (0..text.len(), Number::whole(0)),
        };
        self.goal_of(check, (&source, about), Aim::Keep(within))
    }

    /// A goal whose query and settings stand at a place of a text.
    fn goal_of(
        &self,
        check: &Check,
        (source, place): (&Arc<Source>, Range<usize>),
        aim: Aim,
    ) -> Result<Goal, Diagnostics> {
        let (check, start) = self.check_before_colon(check, source, place.clone())?;
        let about = &source.text[start..place.end];
        let (asked, settings) = about.split_once('@').unwrap_or((about, ""));
        let (origin, trimmed) = (&source.name, asked.trim());
        let blanks = asked.len() - asked.trim_start().len();
        let query = check.query(trimmed, origin).map_err(|errors| {
            let moved = errors.0.into_iter();
            Diagnostics(
                moved
                    .map(|error| error.moved(source, start + blanks))
                    .collect(),
            )
        })?;
        let (mut config, mut set) = (check.defaults(), Vec::new());
        let from = start + asked.len() + 1;
        for piece in assignments(settings) {
            let (at, assignment) = (from + piece.start, &settings[piece]);
            let done = check.set(&mut config, assignment, origin);
            done.map_err(|error| error.moved(source, at))?;
            for input in check.set_by(assignment) {
                if set.contains(&input) {
                    let name = &check.inputs[input.0].name;
                    let place = Span::new(at, at + assignment.len());
                    let message = format!("`{name}` is set twice");
                    return Err(Diagnostic::new(source, place, message).into());
                }
                set.push(input);
            }
        }
        let goal = Goal {
            intent: String::new(),
            check: check.name.clone(),
            query,
            config,
            set,
            aim,
        };
        goal.refuse_impossible(source)?;
        Ok(goal)
    }

    /// The check that a goal begins with, or else `check`; and where the rest begins.
    fn check_before_colon<'m>(
        &'m self,
        check: &'m Check,
        source: &Arc<Source>,
        place: Range<usize>,
    ) -> Result<(&'m Check, usize), Diagnostic> {
        let Some((word, _)) = source.text[place.clone()].split_once(':') else {
            return Ok((check, place.start));
        };
        let name = word.trim();
        if let Some(other) = self.check_or_track(name) {
            return Ok((other, place.start + word.len() + 1));
        }
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return Ok((check, place.start));
        }
        let both = self.checks.iter().chain(&self.tracks);
        let names: Vec<&str> = both.map(|check| check.name.as_str()).collect();
        let error = Diagnostic::new(
            source,
            Span::new(place.start, place.start + word.len()),
            format!("there is no check or track `{name}`"),
        );
        Err(match nearest(name, names.iter().copied()) {
            Some(near) => error.meant(near),
            None => error.with_help(there_are(&names)),
        })
    }
}

impl Goal {
    /// Refuses numbers that no probability is, and percentages of what is none.
    fn refuse_impossible(&self, source: &Arc<Source>) -> Result<(), Diagnostic> {
        let is_probability = matches!(self.query.kind, QueryKind::Probability(_));
        // How far odds may move is no probability itself, but a share of one.
        let is_odd = |figure: &&Number| match (is_probability, &self.aim) {
            (true, Aim::Keep(_)) => false,
            (true, _) => !figure.is_chance(),
            (false, _) => figure.text.ends_with('%'),
        };
        let Some(figure) = self.aim.figures().into_iter().find(is_odd) else {
            return Ok(());
        };
        let start = source.text.rfind(&figure.text).unwrap_or(0);
        let place = Span::new(start, (start + figure.text.len()).min(source.text.len()));
        let error = |message: String| Diagnostic::new(source, place, message);
        Err(match is_probability {
            true => error(format!(
                "a probability lies between 0 and 1, and this is {}",
                figure.text
            ))
            .with_help("percentages have their sign: 55 %"),
            false => error(format!("`{}` is no probability", self.query.text))
                .with_label("a percentage")
                .with_help("write the number itself"),
        })
    }
}

impl Aim {
    /// The numbers that it names, without weights.
    fn figures(&self) -> Vec<&Number> {
        match self {
            Self::Within(bounds) => bounds.at_least.iter().chain(&bounds.at_most).collect(),
            Self::Near { number, .. } | Self::Keep(number) => vec![number],
        }
    }
}

/// What a goal says of an answer, and where the rest of it stands.
fn aim_of(source: &Arc<Source>) -> Result<(Range<usize>, Aim), Diagnostic> {
    let text = &source.text;
    for word in ["~", " near "] {
        if let Some(at) = text.rfind(word) {
            let (number, weight) = near_of(source, at + word.len())?;
            return Ok((0..at, Aim::Near { number, weight }));
        }
    }
    for (words, is_least) in [(" at least ", true), (" at most ", false)] {
        if let Some(at) = text.rfind(words) {
            let place = Span::new(at + words.len(), text.len());
            let end = Some(number(source, place, |_| true)?);
            let (at_least, at_most) = if is_least { (end, None) } else { (None, end) };
            return Ok((0..at, Aim::Within(Bounds { at_least, at_most })));
        }
    }
    match text.rfind(" in ") {
        Some(at) => Ok((0..at, Aim::Within(interval(source, at + " in ".len())?))),
        None => {
            let whole = Span::new(0, text.len());
            let error = Diagnostic::new(source, whole, "this does not say what the odds are to be");
            Err(error.with_help(in_words(text).unwrap_or(GOAL_FORMS.to_owned())))
        }
    }
}

/// What a goal with signs, such as `Hit >= 50 %` or `Hit between 0.4 and 0.6`, is in words; none if it is none.
fn in_words(text: &str) -> Option<String> {
    let is_number = |text: &str| Number::parse(text.trim()).is_ok();
    if let Some((about, ends)) = text.rsplit_once(" between ") {
        let (low, high) = ends.split_once(" and ")?;
        let are_numbers = is_number(low) && is_number(high);
        return are_numbers.then(|| {
            format!(
                "write '{} in [{}, {}]'",
                about.trim(),
                low.trim(),
                high.trim()
            )
        });
    }
    let signs = [
        (">=", "at least"),
        ("<=", "at most"),
        (">", "at least"),
        ("<", "at most"),
    ];
    let nears = ["==", "=", " around ", " about ", " is ", " of ", " "];
    let nears = nears.map(|sign| (sign, "~"));
    signs.into_iter().chain(nears).find_map(|(sign, words)| {
        let (about, end) = text.rsplit_once(sign)?;
        is_number(end).then(|| format!("write '{} {words} {}'", about.trim(), end.trim()))
    })
}

/// `a..b`, `a..=b`, `a to b` or `a - b` as an interval; none if it is none.
fn in_brackets(about: &str, text: &str) -> Option<String> {
    let (low, high) = ["..=", "..", " to ", " - "]
        .into_iter()
        .find_map(|mark| text.split_once(mark))?;
    let [low, high] = [low, high].map(str::trim);
    let are_numbers = [low, high].iter().all(|end| Number::parse(end).is_ok());
    are_numbers.then(|| format!("write '{} in [{low}, {high}]'", about.trim()))
}

/// `[a, b]`
fn interval(source: &Arc<Source>, start: usize) -> Result<Bounds, Diagnostic> {
    let text = &source.text;
    let rest = text[start..].trim();
    let start = text.len() - text[start..].trim_start().len();
    let inner = rest
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    let Some((low, high)) = inner.and_then(|inner| inner.split_once(',')) else {
        let error = Diagnostic::new(
            source,
            Span::new(start, text.len()),
            "an interval is [a, b]",
        );
        let about = text[..start].trim_end().trim_end_matches("in");
        return Err(error.with_help(in_brackets(about, rest).unwrap_or(GOAL_FORMS.to_owned())));
    };
    let at = start + 1;
    let low_place = Span::new(at, at + low.len());
    let high_place = Span::new(at + low.len() + 1, at + low.len() + 1 + high.len());
    let low = number(source, low_place, |_| true)?;
    let high = number(source, high_place, |_| true)?;
    if low.compare(&high).is_gt() {
        let message = format!(
            "no number is at least {} and at most {}",
            low.text, high.text
        );
        let error = Diagnostic::new(source, high_place, message);
        return Err(error.with_label("the lower end stands first"));
    }
    Ok(Bounds {
        at_least: Some(low),
        at_most: Some(high),
    })
}

/// `x` or `x weight w`
fn near_of(source: &Arc<Source>, start: usize) -> Result<(Number, Number), Diagnostic> {
    let text = &source.text;
    let word = "weight";
    match text[start..].find(word) {
        None => Ok((
            number(source, Span::new(start, text.len()), |_| true)?,
            Number::whole(1),
        )),
        Some(at) => {
            let target = number(source, Span::new(start, start + at), |_| true)?;
            let place = Span::new(start + at + word.len(), text.len());
            Ok((
                target,
                number(source, place, |weight| *weight > RBig::ZERO)?,
            ))
        }
    }
}

/// The number at a place, which must be legal.
fn number(
    source: &Arc<Source>,
    place: Span,
    is_legal: impl Fn(&RBig) -> bool,
) -> Result<Number, Diagnostic> {
    let raw = &source.text[place.start..place.end];
    let (text, blanks) = (raw.trim(), raw.len() - raw.trim_start().len());
    let span = Span::new(
        place.start + blanks,
        (place.start + blanks + text.len()).max(place.start),
    );
    match Number::parse(text) {
        Ok(number) if is_legal(&number.value) => Ok(number),
        Ok(_) => Err(Diagnostic::new(source, span, format!("{text} is too low"))
            .with_label("a weight lies above 0, a tolerance not below it")),
        Err(label) => {
            let message = format!("`{text}` is no exact number");
            let help = match text.contains('@') {
                true => "the configuration stands before: 'QUERY @ name=value at least a'",
                false => "a number is a decimal, 0.55, a percentage, 55 %, or a fraction, 11/20",
            };
            let error = Diagnostic::new(source, span, message);
            Err(error.with_label(label).with_help(help))
        }
    }
}

/// The places of the assignments in `a=1, b=2 ladder=[0, 4]`, which commas or blanks part.
fn assignments(text: &str) -> Vec<Range<usize>> {
    pieces(text, |rest| {
        let next = rest.trim_start_matches([',', ' ']);
        let name = next.split('=').next().unwrap_or_default().trim_end();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '[' | ']' | '.');
        let is_name = !name.is_empty() && name.chars().all(is_part);
        rest.starts_with([',', ' ']) && (next.is_empty() || name.len() < next.len() && is_name)
    })
}

/// The places of the parts of a text, without blanks around them. A new one begins outside of brackets where `parts`
/// says so of what follows.
fn pieces(text: &str, parts: impl Fn(&str) -> bool) -> Vec<Range<usize>> {
    let (mut places, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut end_at = |start: usize, end: usize| {
        let piece = &text[start..end];
        let trimmed = piece.trim_matches([',', ' ']);
        if !trimmed.is_empty() {
            let from = start + piece.find(trimmed).unwrap_or(0);
            places.push(from..from + trimmed.len());
        }
    };
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 && parts(&text[at..]) => {
                end_at(start, at);
                start = at;
            }
            _ => {}
        }
    }
    end_at(start, text.len());
    places
}

#[cfg(test)]
mod tests {
    use super::assignments;

    #[test]
    fn commas_and_blanks_part_assignments() {
        let parts = |text: &'static str| -> Vec<&str> {
            let places = assignments(text);
            places.into_iter().map(|place| &text[place]).collect()
        };
        assert_eq!(parts(" a=1,b=2 c=x "), ["a=1", "b=2", "c=x"]);
        assert_eq!(
            parts("a = 1, l=[0, 4] l[2] = 3"),
            ["a = 1", "l=[0, 4]", "l[2] = 3"]
        );
        assert_eq!(parts(""), Vec::<&str>::new());
        assert_eq!(parts("broken"), ["broken"]);
    }
}
