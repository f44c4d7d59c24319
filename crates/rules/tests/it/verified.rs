//! Programs that contradict themselves are refused, whatever the contradiction is.

use std::collections::BTreeSet;
use std::sync::Arc;

use oddsmith_rules::program::{
    BinaryOp, Expr, Faces, InputId, Kind, Options, Program, Reading, Statement, UnaryOp, VarId,
    Variable, Whole,
};
use oddsmith_rules::{Check, Domain, Flaw, Input, Model, OutcomeKind, Span, Ties, all_games, load};

/// Whatever scripts can hold.
const RULES: &str = r#"
name = "Everything"
params.cap = { default = 3, domain = "0..=9" }
params.ladder = { default = [2, 4, 6], domain = "1..=9" }
functions.odd = "(face) => face - 2 * floor(face / 2)"
functions.capped = "(n) => min(n, cap)"

[checks.check]
require = ["low <= 4"]
bands = ["Miss", "Hit"]
maximise = "total"
contest = "total"
axes.low = { default = 1, domain = "0..=5", sweep = [1, 2] }
axes.mood = { default = "calm", domain = ["calm", "wild"] }
rules = """
let pool = {(1 + d4)d6!(2), 2d{1, 3..=4: 2}r<3, 3}
let drawn = draw(2, {6: 2, 4: 4, 1: low + 1})
choose kept in subsets(3d6) where size(kept) >= 1
choose stake in 0..=low where stake != 2
let high = highest(pool, d2)
let more = matches(drawn) + map(drawn, odd) + wins(pool, 2d[d4 + 1]) + highest(each(2d6, odd))
let carried = fold face, ours of 2d6, theirs of 2d6 with best = 0 { set best = if ours > theirs then face else best }
let left = 2
let held = 1d6
repeat 2 until left == 0 or highest(held) == 6 {
  let once = d4
  set left = max(0, left - (if once > 2 then 1 else 0))
  set held = {held, 1d6}
}
let few = cap + 1
let bonus = match high { 6: 2, 3..=5: 1, else: 0 }
let worth = few + capped(d6) + ladder[d3 - 1] + count(pool, >= d4) + stake + left + sum(kept) + sum(held)
show total = high + more + carried + bonus + worth + (if mood == wild then -1 else abs(bonus))
show pair = matches(drawn, 1) == 2 and not (total < 3)
show band = match total { < 9: Miss, else: Hit }
"""

[tracks.track]
axes.goal = { default = 6, domain = "1..=9" }
rules = """
let filled = 0
repeat until filled >= goal {
  show gain = d4
  set filled = min(goal, filled + gain)
}
show over = filled > 5
"""
"#;

fn model() -> Model {
    load("everything.toml", RULES.as_bytes())
        .unwrap_or_else(|errors| panic!("{}", errors.render(false)))
}

/// The checks and the tracks of all rulesets that come along, of the examples and of the one above, and contests.
fn all() -> Vec<Check> {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulesets/examples");
    let examples = std::fs::read_dir(examples).expect("there are examples");
    let examples = examples.map(|entry| {
        let text = std::fs::read_to_string(entry.expect("it is there").path());
        text.expect("it is a text")
    });
    let texts = all_games().map(|(_, text)| text.to_owned());
    let texts = texts.chain(examples).chain([RULES.to_owned()]);
    let models = texts.map(|text| load("game.toml", text.as_bytes()).expect("it is right"));
    let checks = models.flat_map(|model| model.checks.into_iter().chain(model.tracks));
    let checks: Vec<Check> = checks.collect();
    let contests = checks.iter().flat_map(|check| {
        let rules = Ties::ALL.map(|(_, ties)| check.against(check, ties).ok());
        rules.into_iter().flatten()
    });
    contests
        .collect::<Vec<_>>()
        .into_iter()
        .chain(checks)
        .collect()
}

#[test]
fn what_is_shipped_agrees_with_itself() {
    let all = all();
    assert!(all.len() > 60, "{}", all.len());
    for check in all {
        assert_eq!(check.verify(), Ok(()), "{}", check.name);
    }
}

/// One way to break an expression: makes another one of it, or none if it has nothing to be broken there.
type Break = fn(&Expr, &Program) -> Option<Expr>;

fn constant(value: i64) -> Expr {
    Expr::constant(value, Span::default())
}

fn rolled_pool() -> Expr {
    Expr::dice(constant(1), constant(6), Span::default())
}

/// A variable as a program has it in which it is fixed.
fn fixed_elsewhere(var: VarId) -> Expr {
    let mut other = Program::default();
    while other.bind("number", constant(1)).0 != var {}
    other.var(var, Span::default())
}

fn with_kind(expr: &Expr, kind: Kind) -> Option<Expr> {
    Some(Expr::new(kind, expr.span))
}

/// The same expression with one of its parts replaced.
fn with_part(expr: &Expr, at: usize, part: &Expr) -> Expr {
    let mut number = 0;
    expr.map_parts(&mut |own| {
        number += 1;
        if number == at + 1 {
            part.clone()
        } else {
            own.clone()
        }
    })
}

/// Where among the parts of an expression something fixed has to stand.
fn fixed_part(expr: &Expr) -> Option<usize> {
    let Kind::Read { reading, .. } = &expr.kind else {
        return None;
    };
    let is_fixed = matches!(reading, Reading::Whole(Whole::Set(_) | Whole::SetFace(_)));
    is_fixed.then_some(1)
}

/// Where among the parts of an expression something is made of each face.
fn made_part(expr: &Expr) -> Option<usize> {
    let is_made = match &expr.kind {
        Kind::Read { reading, .. } => matches!(reading, Reading::Map { .. } | Reading::Fold(_)),
        Kind::Each { .. } => true,
        _ => false,
    };
    is_made.then_some(1)
}

/// Where among the parts of an expression something has to stand that is known when it is rolled.
fn known_part(expr: &Expr) -> Option<usize> {
    match &expr.kind {
        Kind::Draw { .. } => Some(0),
        Kind::Dice { die, .. } => match die.faces {
            Faces::Of(_) => None,
            Faces::Sides(_) | Faces::Listed(_) => Some(1),
        },
        _ => None,
    }
}

/// Where among the parts of an expression a condition stands.
fn condition(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::If { .. } => true,
        Kind::Unary(op, _) => *op == UnaryOp::Not,
        Kind::Binary(op, ..) => matches!(op, BinaryOp::And | BinaryOp::Or),
        _ => false,
    }
}

const BREAKS: [(&str, &str, Break); 14] = [
    (
        "dice rolled for each face",
        "rolls dice of its own",
        |expr, _| made_part(expr).map(|at| with_part(expr, at, &rolled_pool().sum())),
    ),
    (
        "a rolled variable as fixed",
        "as if it were fixed",
        |expr, _| {
            let rolled = (!expr.fixed).then_some(&expr.kind)?;
            match rolled {
                Kind::Var(var) => Some(fixed_elsewhere(*var)),
                _ => None,
            }
        },
    ),
    (
        "a variable that there is not",
        "there is no variable",
        |expr, program| {
            let other = Kind::Var(VarId(program.variables().len()));
            let is_number = matches!(expr.kind, Kind::Var(var) if !program.variable(var).is_pool());
            with_kind(expr, other).filter(|_| is_number)
        },
    ),
    (
        "an input that there is not",
        "there is no input",
        |expr, _| {
            let other = Kind::Input(InputId(1000));
            with_kind(expr, other).filter(|_| matches!(expr.kind, Kind::Input(_)))
        },
    ),
    (
        "a number where a pool is read",
        "a pool is needed",
        |expr, _| {
            let reads = matches!(
                expr.kind,
                Kind::Read { .. } | Kind::Keep { .. } | Kind::Wins(..)
            );
            reads.then(|| with_part(expr, 0, &constant(1)))
        },
    ),
    ("a pool as an operand", "a number is needed", |expr, _| {
        let reads = matches!(
            expr.kind,
            Kind::Unary(..)
                | Kind::Binary(..)
                | Kind::Divide { .. }
                | Kind::If { .. }
                | Kind::Match { .. }
                | Kind::Select { .. }
                | Kind::Dice { .. }
                | Kind::Draw { .. }
        );
        reads.then(|| with_part(expr, 0, &rolled_pool()))
    }),
    ("branches of two kinds", "is needed", |expr, program| {
        let other = match program.is_pool(expr) {
            true => constant(1),
            false => rolled_pool(),
        };
        matches!(expr.kind, Kind::If { .. }).then(|| with_part(expr, 2, &other))
    }),
    (
        "rolled where it has to be fixed",
        "has to be fixed",
        |expr, _| Some(with_part(expr, fixed_part(expr)?, &rolled_pool().sum())),
    ),
    (
        "rolled where it has to be known",
        "has to be known",
        |expr, _| Some(with_part(expr, known_part(expr)?, &rolled_pool().sum())),
    ),
    (
        "a condition that may be 2",
        "other values than 0 and 1",
        |expr, _| condition(expr).then(|| with_part(expr, 0, &constant(2))),
    ),
    ("a test that is rolled anew", "rolled anew", |expr, _| {
        let counts = matches!(
            &expr.kind,
            Kind::Read {
                reading: Reading::Count(_),
                ..
            }
        );
        let tests = counts || matches!(expr.kind, Kind::Match { .. });
        tests.then(|| with_part(expr, 1, &rolled_pool().sum()))
    }),
    (
        "a list without an item",
        "a list has no items",
        |expr, _| {
            let mut kind = expr.kind.clone();
            match &mut kind {
                Kind::Select { items, .. } => items.clear(),
                Kind::Match { arms, .. } => arms[0].patterns.clear(),
                Kind::Draw { bag, .. } => bag.clear(),
                Kind::Read {
                    reading: Reading::Count(tests),
                    ..
                } => tests.clear(),
                Kind::Dice { die, .. } => die.faces = Faces::Listed(Vec::new()),
                _ => return None,
            }
            with_kind(expr, kind)
        },
    ),
    (
        "a match without an arm",
        "a list has no items",
        |expr, _| {
            let mut kind = expr.kind.clone();
            let Kind::Match {
                arms, otherwise, ..
            } = &mut kind
            else {
                return None;
            };
            arms.clear();
            *otherwise = None;
            with_kind(expr, kind)
        },
    ),
    ("a face that is none", "is no face", |expr, program| {
        let mut kind = expr.kind.clone();
        let pool = program.variables().iter().position(Variable::is_pool)?;
        let Kind::Read {
            reading: Reading::Map { face, .. },
            ..
        } = &mut kind
        else {
            return None;
        };
        *face = VarId(pool);
        with_kind(expr, kind)
    }),
];

/// The first expression, or part of one, that `change` makes another one of, at any depth.
fn changed(expr: &Expr, change: &mut dyn FnMut(&Expr) -> Option<Expr>) -> Expr {
    match change(expr) {
        Some(changed) => changed,
        None => expr.map_parts(&mut |part| changed(part, change)),
    }
}

/// The program's statements, broken in this way at each place where they can be.
fn broken(program: &Program, breaking: Break) -> Vec<Vec<Statement>> {
    let at = |target: usize| {
        let mut places = 0;
        let mut change = |expr: &Expr| {
            let broken = breaking(expr, program)?;
            places += 1;
            (places == target + 1).then_some(broken)
        };
        let statements = program.statements().iter();
        let statements =
            statements.map(|statement| statement.map_parts(&mut |part| changed(part, &mut change)));
        let statements = statements.collect();
        (places > target).then_some(statements)
    };
    (0..).map_while(at).collect()
}

/// Statements to stand instead of one, or none if it has nothing to be broken there.
type BreakStatement = fn(&Statement, &Program) -> Option<Vec<Statement>>;

fn is_read(program: &Program, wanted: VarId) -> bool {
    let mut found = false;
    for statement in program.statements() {
        statement.for_each_part(&mut |part| {
            found |= part.any(&mut |part| matches!(part.kind, Kind::Var(var) if var == wanted));
        });
    }
    found
}

/// The choice with other options, another condition or another goal.
fn choice(
    statement: &Statement,
    change: fn(&mut Options, &mut Option<Expr>, &mut VarId, VarId) -> bool,
) -> Option<Vec<Statement>> {
    let mut broken = statement.clone();
    let Statement::Choose {
        var,
        options,
        condition,
        goal,
        ..
    } = &mut broken
    else {
        return None;
    };
    change(options, condition, goal, *var).then(|| vec![broken])
}

/// The loop with another count, end or body.
fn repeat(
    statement: &Statement,
    change: fn(&mut Option<Expr>, &mut Option<Expr>, &mut Vec<Statement>) -> bool,
) -> Option<Vec<Statement>> {
    let mut broken = statement.clone();
    let Statement::Repeat {
        count, until, body, ..
    } = &mut broken
    else {
        return None;
    };
    change(count, until, body).then(|| vec![broken])
}

fn rolled_condition() -> Expr {
    let op = BinaryOp::Compare(oddsmith_rules::program::CompareOp::Equal);
    Expr::binary(op, rolled_pool().sum(), constant(1), Span::default())
}

const STATEMENTS: [(&str, &str, BreakStatement); 12] = [
    (
        "a variable that nothing binds",
        "not bound",
        |statement, program| {
            let is_needed =
                matches!(statement, Statement::Let { var, .. } if is_read(program, *var));
            is_needed.then(Vec::new)
        },
    ),
    (
        "a variable that is bound twice",
        "is bound twice",
        |statement, _| {
            let binds = matches!(statement, Statement::Let { .. } | Statement::Choose { .. });
            binds.then(|| vec![statement.clone(), statement.clone()])
        },
    ),
    (
        "a choice from a roll of its own",
        "rolls dice",
        |statement, _| {
            choice(statement, |options, _, _, _| {
                *options = match options {
                    Options::Range(from, _) => Options::Range(from.clone(), rolled_pool().sum()),
                    Options::Subsets(_) => Options::Subsets(rolled_pool()),
                };
                true
            })
        },
    ),
    (
        "a condition of a choice that rolls",
        "rolls dice",
        |statement, _| {
            choice(statement, |_, condition, _, _| {
                *condition = Some(rolled_condition());
                true
            })
        },
    ),
    (
        "a condition of a choice that may be 2",
        "other values",
        |statement, _| {
            choice(statement, |_, condition, _, _| {
                *condition = Some(constant(2));
                true
            })
        },
    ),
    (
        "a choice for itself",
        "not bound behind the choice",
        |statement, _| {
            choice(statement, |_, _, goal, var| {
                *goal = var;
                true
            })
        },
    ),
    (
        "a choice of another kind",
        "is not what is chosen",
        |statement, _| {
            choice(statement, |options, _, _, _| {
                let is_pool = matches!(options, Options::Subsets(_));
                *options = Options::Range(constant(0), constant(1));
                is_pool
            })
        },
    ),
    (
        "a count of rounds that is rolled",
        "has to be fixed",
        |statement, _| {
            repeat(statement, |count, _, _| {
                *count = Some(rolled_pool().sum());
                true
            })
        },
    ),
    ("an end that may be 2", "other values", |statement, _| {
        repeat(statement, |_, until, _| {
            *until = Some(constant(2));
            true
        })
    }),
    (
        "rounds of nothing",
        "no statement of its own",
        |statement, _| {
            repeat(statement, |_, _, body| {
                body.clear();
                true
            })
        },
    ),
    (
        "a loop without an end",
        "without a count",
        |statement, _| {
            repeat(statement, |count, until, _| {
                *count = None;
                *until = None;
                true
            })
        },
    ),
    (
        "an end that is rolled",
        "without a count",
        |statement, _| {
            repeat(statement, |count, until, _| {
                *until = Some(rolled_condition());
                count.is_none()
            })
        },
    ),
];

/// The statements, with those instead of the target that a break makes of it; counts the places where it can be made.
fn broken_statements(
    statements: &[Statement],
    (program, breaking): (&Program, BreakStatement),
    target: usize,
    places: &mut usize,
) -> Vec<Statement> {
    let mut all = Vec::new();
    for statement in statements {
        if let Some(broken) = breaking(statement, program) {
            *places += 1;
            if *places == target + 1 {
                all.extend(broken);
                continue;
            }
        }
        let mut statement = statement.clone();
        if let Statement::Repeat { body, .. } = &mut statement {
            *body = broken_statements(body, (program, breaking), target, places);
        }
        all.push(statement);
    }
    all
}

/// What is wrong with a program has to be said in these words.
fn refused(what: &str, words: &str, made: Result<Program, Flaw>) {
    match made {
        Ok(program) => panic!("{what}: nothing is found\n{:#?}", program.statements()),
        Err(flaw) => assert!(flaw.to_string().contains(words), "{what}: {flaw}"),
    }
}

/// A check's program has to be refused with each of these statements.
fn all_refused((what, words): (&str, &str), check: &Check, broken: &[Vec<Statement>]) {
    for statements in broken {
        let program = check.program().clone();
        let made = program.with_statements(statements.clone(), check.inputs.len());
        refused(what, words, made);
    }
}

#[test]
fn an_expression_that_contradicts_itself_is_refused() {
    let model = model();
    for (what, words, breaking) in BREAKS {
        let mut found = 0;
        for check in model.checks.iter().chain(&model.tracks) {
            let broken = broken(check.program(), breaking);
            all_refused((what, words), check, &broken);
            found += broken.len();
        }
        assert!(found > 0, "{what}");
    }
}

#[test]
fn a_statement_out_of_place_is_refused() {
    let model = model();
    for (what, words, breaking) in STATEMENTS {
        let mut found = 0;
        for check in model.checks.iter().chain(&model.tracks) {
            let program = check.program();
            let at = |target: usize| {
                let mut places = 0;
                let how = (program, breaking);
                let statements = program.statements();
                let broken = broken_statements(statements, how, target, &mut places);
                (places > target).then_some(broken)
            };
            let broken: Vec<Vec<Statement>> = (0..).map_while(at).collect();
            all_refused((what, words), check, &broken);
            found += broken.len();
        }
        assert!(found > 0, "{what}");
    }
}

#[test]
fn a_variable_that_is_not_what_is_bound_is_refused() {
    let check = &model().checks[0];
    let variables = check.program().variables();
    let mut found = BTreeSet::new();
    for (at, own) in variables.iter().enumerate() {
        for other in variables {
            let (what, words) = if own.is_pool() != other.is_pool() {
                ("the other kind", "")
            } else if own.is_mutable() && !other.is_mutable() && !other.is_fixed() {
                ("not mutable", "can't be changed here")
            } else if !own.is_fixed() && other.is_fixed() {
                ("fixed", "")
            } else if own.is_fixed() && !other.is_fixed() && is_read(check.program(), VarId(at)) {
                ("rolled", "")
            } else {
                continue;
            };
            let mut broken = variables.to_vec();
            broken[at] = other.clone();
            let statements = check.program().statements().to_vec();
            let made = Program::new(broken, statements, check.inputs.len());
            refused(what, words, made);
            found.insert(what);
        }
    }
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn a_set_of_what_a_block_does_not_bind_is_refused() {
    let mut program = Program::default();
    let (state, bound) = program.state("state", constant(0));
    let set = Statement::Set {
        var: state,
        value: constant(1),
    };
    let kind = Kind::Block {
        statements: [set.clone()].into(),
        value: Box::new(constant(1)),
    };
    let block = Expr::new(kind, Span::default());
    let (_, inside) = program.bind("inside", block);
    let made = |statements| program.clone().with_statements(statements, 0);
    assert!(made(vec![bound.clone(), set.clone()]).is_ok());
    for statements in [vec![bound.clone(), inside], vec![set, bound]] {
        assert!(made(statements).is_err());
    }
}

fn inputs_of(check: &mut Check) -> &mut [Input] {
    Arc::make_mut(&mut check.inputs)
}

#[test]
fn a_check_that_contradicts_its_program_is_refused() {
    type BreakCheck = fn(&mut Check);
    let breaks: [(BreakCheck, &str); 14] = [
        (
            |check| inputs_of(check)[0].default = 10,
            "outside its domain",
        ),
        (
            |check| inputs_of(check)[0].sweep = vec![10],
            "outside its domain",
        ),
        (|check| inputs_of(check)[0].sweep = vec![1, 1], "twice"),
        (
            |check| inputs_of(check)[0].domain = Domain::Range(1, 0),
            "empty domain",
        ),
        (
            |check| inputs_of(check)[0].name = check.inputs[1].name.clone(),
            "two inputs",
        ),
        (|check| inputs_of(check).reverse(), "behind an axis"),
        (
            |check| check.outcomes[0].name = check.outcomes[1].name.clone(),
            "two outcomes",
        ),
        (
            |check| check.outcomes[0].var = VarId(1000),
            "there is no variable",
        ),
        (
            |check| check.outcomes[0].kind = OutcomeKind::Flag,
            "is not what is shown",
        ),
        (
            |check| check.outcomes[0].first_round = true,
            "is not what is shown",
        ),
        (
            |check| check.rounds = Some(check.outcomes[0].var),
            "rounds are counted",
        ),
        (
            |check| check.requires[0].condition = rolled_condition(),
            "has to be fixed",
        ),
        (
            |check| check.requires[0].condition = constant(2),
            "other values",
        ),
        (
            |check| check.contest.as_mut().unwrap().value = rolled_condition(),
            "rolls dice",
        ),
    ];
    let model = model();
    for (breaking, words) in breaks {
        let mut check = model.checks[0].clone();
        breaking(&mut check);
        let flaw = check.verify().expect_err(words);
        assert!(flaw.to_string().contains(words), "{words}: {flaw}");
    }
    let mut check = model.checks[0].clone();
    let hidden = (0..).map(VarId).find(|var| {
        let variable = check.program().variable(*var);
        !variable.is_pool() && check.outcomes.iter().all(|outcome| outcome.var != *var)
    });
    let hidden = check.program().var(hidden.unwrap(), Span::default());
    check.goal.as_mut().unwrap().value = hidden;
    assert!(
        check
            .verify()
            .unwrap_err()
            .to_string()
            .contains("is not bound here")
    );
    let mut track = model.tracks[0].clone();
    track.rounds = None;
    assert!(
        track
            .verify()
            .unwrap_err()
            .to_string()
            .contains("rounds are counted")
    );
}
