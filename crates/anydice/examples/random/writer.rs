//! What random programs are made of.

use std::fmt::Write as _;

/// Variables outside of functions, all of which get a value at the beginning, by what they hold.
const NUMBERS: [&str; 2] = ["N", "M"];
const SEQUENCES: [&str; 2] = ["S", "T"];
const DICE: [&str; 3] = ["D", "E", "POOL"];

/// What an expression is to be. It may come to something else where a function returns it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Sequence,
    Dice,
}

/// Writes a random program.
pub(crate) struct Writer {
    state: u64,
    text: String,
    /// The functions so far: their words, and the kinds of their parameters.
    functions: Vec<(String, Vec<&'static str>)>,
    /// What a function at hand has beside the variables outside.
    locals: Vec<(&'static str, Kind)>,
}

impl Writer {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            text: String::new(),
            functions: Vec::new(),
            locals: Vec::new(),
        }
    }

    /// A number below `end`, by SplitMix64.
    fn below(&mut self, end: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % end
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let place = self.below(from.len() as u64);
        from[usize::try_from(place).expect("lists are short")]
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(crate) fn program(mut self) -> String {
        self.settings();
        for name in NUMBERS.into_iter().chain(SEQUENCES).chain(DICE) {
            let kind = kind_of(name);
            let value = self.leaf(kind);
            self.line(&format!("{name}: {value}"));
        }
        for number in 0..self.below(3) {
            self.function(number);
        }
        for number in 0..=self.below(3) {
            match self.below(5) {
                0 => self.looped(number),
                1 => self.condition(number),
                _ => self.output(number),
            }
        }
        self.text
    }

    fn settings(&mut self) {
        if self.below(4) == 0 {
            self.line("set \"position order\" to \"lowest first\"");
        }
        if self.below(3) == 0 {
            let depth = 1 + self.below(3);
            self.line(&format!("set \"explode depth\" to {depth}"));
        }
        let depth = 2 + self.below(4);
        self.line(&format!("set \"maximum function depth\" to {depth}"));
    }

    fn output(&mut self, number: u64) {
        let kind = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice, Kind::Dice]);
        let value = self.expr(kind, 3);
        let label = self.pick(&["", " named \"n is [N]\"", " \\ a remark \\"]);
        let _ = writeln!(self.text, "output {value}{label} \\ {number} \\");
    }

    fn looped(&mut self, number: u64) {
        let over = self.expr(Kind::Sequence, 1);
        self.line(&format!("loop N over {over} {{"));
        self.assignment();
        self.output(number);
        self.line("}");
    }

    fn condition(&mut self, number: u64) {
        let condition = self.expr(Kind::Number, 2);
        self.line(&format!("if {condition} {{"));
        self.output(number);
        if self.below(2) == 0 {
            let condition = self.expr(Kind::Number, 2);
            self.line(&format!("}} else if {condition} {{"));
            self.assignment();
        }
        self.line("} else {");
        self.output(number);
        self.line("}");
    }

    fn assignment(&mut self) {
        let name = self.pick(&["N", "M", "S", "T", "D", "E", "COUNT"]);
        let value = match name {
            "COUNT" => self.expr(Kind::Number, 1),
            name => self.expr(kind_of(name), 1),
        };
        self.line(&format!("{name}: {value}"));
    }

    fn function(&mut self, number: u64) {
        let word = ["first", "second", "third"][usize::try_from(number).expect("few")];
        let kinds: Vec<&str> = (0..=self.below(2))
            .map(|_| self.pick(&[":n", ":s", ":d", "", ":n", ":s"]))
            .collect();
        let names = ["A", "B", "C"];
        self.locals = kinds
            .iter()
            .zip(names)
            .map(|(kind, name)| match *kind {
                ":n" => (name, Kind::Number),
                ":s" => (name, Kind::Sequence),
                _ => (name, Kind::Dice),
            })
            .collect();
        let heading = kinds
            .iter()
            .zip(names)
            .map(|(kind, name)| format!(" {name}{kind}"));
        let heading: String = heading.collect();
        self.line(&format!("function: {word}{heading} {{"));
        // A function may call itself, and those before it.
        self.functions.push((word.to_owned(), kinds));
        self.body();
        self.line("}");
        self.locals.clear();
    }

    fn body(&mut self) {
        if self.below(3) == 0 {
            // What stays from round to round.
            self.line("M: M + 1");
        }
        if self.below(3) == 0 {
            let over = self.leaf(Kind::Sequence);
            self.line(&format!("loop X over {over} {{ M: M + X }}"));
        }
        if self.below(4) == 0 {
            self.assignment();
        }
        let condition = self.expr(Kind::Number, 1);
        let kind = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice]);
        let result = self.expr(kind, 2);
        self.line(&format!("if {condition} {{ result: {result} }}"));
        if self.below(4) > 0 {
            let kind = self.pick(&[Kind::Number, Kind::Number, Kind::Dice]);
            let result = self.expr(kind, 2);
            self.line(&format!("result: {result}"));
        }
    }

    /// An expression without parts.
    fn leaf(&mut self, kind: Kind) -> String {
        let small = i64::try_from(self.below(9)).expect("small") - 3;
        match kind {
            Kind::Number => small.to_string(),
            Kind::Sequence => {
                let (from, count) = (self.below(4), self.below(4));
                let times = 1 + self.below(2);
                match self.below(4) {
                    0 => format!("{{{from}..{count}}}"),
                    1 => format!("{{{from}, {count}:{times}, {small}}}"),
                    2 => format!("{{{small}, {from}..{}:{times}}}", from + 1),
                    _ => self.pick(&["{}", "{1..3}", "{3,1,2}", "{2,2}"]).to_owned(),
                }
            }
            Kind::Dice => {
                let (count, faces) = (1 + self.below(3), 2 + self.below(3));
                match self.below(6) {
                    0 => format!("d{faces}"),
                    1 => format!("{count}d{{{small}, 0..2}}"),
                    2 => self
                        .pick(&["d{}", "0d3", "-2d2", "d{1:2, 4}", "2d{-1..1}"])
                        .to_owned(),
                    _ => format!("{}d{faces}", count.max(2)),
                }
            }
        }
    }

    fn expr(&mut self, kind: Kind, depth: u64) -> String {
        if depth == 0 || self.below(5) == 0 {
            return self.named(kind);
        }
        let depth = depth - 1;
        match kind {
            Kind::Number => self.number(depth),
            Kind::Sequence => self.sequence(depth),
            Kind::Dice => self.dice(depth),
        }
    }

    /// A variable, or a value without parts.
    fn named(&mut self, kind: Kind) -> String {
        let locals: Vec<&str> = self
            .locals
            .iter()
            .filter(|(_, of)| *of == kind)
            .map(|(name, _)| *name)
            .collect();
        if !locals.is_empty() && self.below(3) > 0 {
            return self.pick(&locals).to_owned();
        }
        if self.below(2) == 0 {
            return self.leaf(kind);
        }
        match kind {
            Kind::Number => self.pick(&NUMBERS).to_owned(),
            Kind::Sequence => self.pick(&SEQUENCES).to_owned(),
            Kind::Dice => self.pick(&DICE).to_owned(),
        }
    }

    fn number(&mut self, depth: u64) -> String {
        let any = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice]);
        let fixed = self.pick(&[Kind::Number, Kind::Sequence]);
        match self.below(7) {
            0 => format!("#({})", self.expr(any, depth)),
            1 => format!("[maximum of {}]", self.expr(any, depth)),
            2 => format!("-{}", self.bracketed(Kind::Number, depth)),
            3 => format!("!{}", self.bracketed(fixed, depth)),
            4 => format!(
                "({} @ {})",
                self.bracketed(fixed, depth),
                self.bracketed(fixed, depth)
            ),
            5 => format!(
                "[count {} in {}]",
                self.bracketed(fixed, depth),
                self.bracketed(Kind::Sequence, depth)
            ),
            _ => {
                let operator = self.pick(&[
                    "+", "-", "*", "/", "=", "!=", "<", ">", "<=", ">=", "&", "|",
                ]);
                format!(
                    "({} {operator} {})",
                    self.bracketed(fixed, depth),
                    self.bracketed(fixed, depth)
                )
            }
        }
    }

    fn sequence(&mut self, depth: u64) -> String {
        let any = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice]);
        match self.below(5) {
            0 => format!("[sort {}]", self.bracketed(any, depth)),
            1 => format!("[reverse {}]", self.bracketed(Kind::Sequence, depth)),
            2 => format!(
                "{{{}, {}:2}}",
                self.expr(any, depth),
                self.expr(Kind::Number, 0)
            ),
            3 => format!(
                "{{{}..{}}}",
                self.expr(Kind::Number, 0),
                self.expr(Kind::Number, 0)
            ),
            _ => format!(
                "{{{}, {}}}",
                self.expr(Kind::Sequence, depth),
                self.expr(any, depth)
            ),
        }
    }

    fn dice(&mut self, depth: u64) -> String {
        let any = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice, Kind::Dice]);
        let fixed = self.pick(&[Kind::Number, Kind::Sequence]);
        if !self.functions.is_empty() && self.below(3) == 0 {
            return self.call(depth);
        }
        match self.below(8) {
            0 => format!(
                "{}d{}",
                self.bracketed(any, 0),
                self.bracketed(any, depth.min(1))
            ),
            1 => format!(
                "({} @ {})",
                self.bracketed(fixed, depth),
                self.bracketed(Kind::Dice, depth)
            ),
            2 => format!("!{}", self.bracketed(Kind::Dice, depth)),
            3 => format!("-{}", self.bracketed(Kind::Dice, depth)),
            4 => self.builtin(depth),
            5 => format!("d{}", self.bracketed(any, depth)),
            _ => {
                let operator = self.pick(&[
                    "+", "-", "*", "/", "=", "!=", "<", ">", "<=", ">=", "&", "|",
                ]);
                let (left, right) = match self.below(2) {
                    0 => (any, Kind::Dice),
                    _ => (Kind::Dice, any),
                };
                format!(
                    "({} {operator} {})",
                    self.bracketed(left, depth),
                    self.bracketed(right, depth)
                )
            }
        }
    }

    fn builtin(&mut self, depth: u64) -> String {
        let any = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice]);
        let (one, other) = (self.bracketed(any, 0), self.bracketed(Kind::Dice, depth));
        let third = self.bracketed(Kind::Dice, 0);
        let which = self.pick(&["highest", "lowest"]);
        match self.below(8) {
            0 => format!("[{which} {one} of {other}]"),
            1 => format!("[{which} {one} of {other} and {third}]"),
            2 => format!("[middle {one} of {other}]"),
            3 => format!("[{which} of {one} and {other}]"),
            4 => format!("[count {one} in {other}]"),
            5 => format!("[{other} contains {one}]"),
            6 => format!("[absolute {other}]"),
            _ => format!("[explode {third}]"),
        }
    }

    fn call(&mut self, depth: u64) -> String {
        let place = self.below(self.functions.len() as u64);
        let (word, kinds) = self.functions[usize::try_from(place).expect("few")].clone();
        let mut call = format!("[{word}");
        for _ in kinds {
            let kind = self.pick(&[Kind::Number, Kind::Sequence, Kind::Dice]);
            let _ = write!(call, " {}", self.bracketed(kind, depth.min(1)));
        }
        call.push(']');
        call
    }

    fn bracketed(&mut self, kind: Kind, depth: u64) -> String {
        format!("({})", self.expr(kind, depth))
    }
}

/// What a variable holds at the beginning.
fn kind_of(name: &str) -> Kind {
    match name {
        name if NUMBERS.contains(&name) => Kind::Number,
        name if SEQUENCES.contains(&name) => Kind::Sequence,
        _ => Kind::Dice,
    }
}
