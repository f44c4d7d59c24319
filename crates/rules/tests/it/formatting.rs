//! How scripts are formatted, by example. That nothing else changes is tested with random scripts in the crate `session`.

use oddsmith_rules::{Source, format};

fn formatted(text: &str) -> String {
    let formatted = format::formatted(&Source::new("game.toml", text));
    formatted.unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}

/// Demands that a script gets another look, which it keeps then.
fn demand(script: &str, wanted: &str) {
    let around = |script: &str| format!("[checks.check]\nrules = '''\n{script}'''\n");
    let once = formatted(&around(script));
    assert_eq!(once, around(wanted), "{script}");
    assert_eq!(formatted(&once), once);
}

#[test]
fn one_blank_stands_around_operators_and_none_within_brackets() {
    demand("let a=1+2*3\n", "let a = 1 + 2 * 3\n");
    demand("let a  =  - ( 3+n )  *-2\n", "let a = -(3 + n) * -2\n");
    demand(
        "let a=max( 1 ,[ 2,3 ] [ n ] ) - f( x,.. ) . field\n",
        "let a = max(1, [2, 3][n]) - f(x, ..).field\n",
    );
    demand(
        "show a=if x<=3 and not(y==2)then 1 else-1\n",
        "show a = if x <= 3 and not (y == 2) then 1 else -1\n",
    );
    demand(
        "show a=match x{ -1:0,2 ..= 4 :1,<(3):2,else:3 }\n",
        "show a = match x { -1: 0, 2..=4: 1, < (3): 2, else: 3 }\n",
    );
    demand(
        "choose n in 0 ..=( 3 )where n<2\nset a=n\n",
        "choose n in 0..=(3) where n < 2\nset a = n\n",
    );
    demand(
        "let hp=[ 8 :3,d6 : 2 ]\nfor  i in 0 ..=size( hp )-1{set hp [i]=hp[ i ]-1}\n",
        "let hp = [8: 3, d6: 2]\nfor i in 0..=size(hp) - 1 { set hp[i] = hp[i] - 1 }\n",
    );
    demand("show a = d == \"so  so\"\n", "show a = d == \"so  so\"\n");
}

#[test]
fn dice_are_written_in_one_piece() {
    demand(
        "show a = 2 d6+( n ) d( s )+d{ 1,2:3 }\n",
        "show a = 2d6 + (n)d(s) + d{1, 2: 3}\n",
    );
    demand(
        "show a = sum({ 2d8 , n  d6 }kh 1)\n",
        "show a = sum({2d8, n d6}kh 1)\n",
    );
    demand(
        "show a = 4d6kh3 + 4d6  kh  3 + 4d6 kl(n)\n",
        "show a = 4d6kh3 + 4d6 kh 3 + 4d6 kl (n)\n",
    );
    demand(
        "show a = 3d6 r < 2 ! >= 5 (2) + 2d20 ro<= (n)kh 1\n",
        "show a = 3d6 r<2!>=5(2) + 2d20 ro<=(n)kh 1\n",
    );
    demand(
        "show a = 6d6 cs >= 5 + 6d6 cs 4 ..=5\n",
        "show a = 6d6 cs>=5 + 6d6 cs 4..=5\n",
    );
    demand("show a = 2d20kh-5\n", "show a = 2d20kh - 5\n");
}

#[test]
fn blocks_are_indented_by_two() {
    demand(
        "  repeat 3 until a==2{\n      let b = 1d6\n  set a = match {\n b>2:1,\n     else:b\n  }\n}\n",
        "repeat 3 until a == 2 {\n  let b = 1d6\n  set a = match {\n    b > 2: 1,\n    else: b\n  }\n}\n",
    );
    demand(
        "let a = check(\n  x = 1,\n      y = 2, ..)\nlet b = n d[\nif a then 1 else 2\n  ]\n",
        "let a = check(\n  x = 1,\n  y = 2, ..)\nlet b = n d[\n  if a then 1 else 2\n]\n",
    );
}

#[test]
fn what_goes_on_from_the_line_above_is_behind_its_beginning() {
    demand("let a = 1\n+ 2\n", "let a = 1\n  + 2\n");
    demand("  let a = 1\n    + 2\n", "let a = 1\n  + 2\n");
    // What stood under a word goes on to do so.
    demand(
        "let a=if x then 1\n      else if y then 2\n      else 3\n",
        "let a = if x then 1\n        else if y then 2\n        else 3\n",
    );
    demand(
        "let a = f(x = 1,\n          y = 2)\n",
        "let a = f(x = 1,\n          y = 2)\n",
    );
}

#[test]
fn columns_stay_columns_and_other_blanks_go() {
    demand("let a   = 1\nlet b = 2\n", "let a = 1\nlet b = 2\n");
    demand("let a   = 1\nlet abc = 2\n", "let a   = 1\nlet abc = 2\n");
    demand(
        "let a   = x+1   # one\nlet abc = 2     # two\n",
        "let a   = x + 1   # one\nlet abc = 2       # two\n",
    );
    demand(
        "show a = match x {\n  < 3:  1,\n  else: 2,\n}\n",
        "show a = match x {\n  < 3:  1,\n  else: 2,\n}\n",
    );
    demand(
        "let a = 1\n# between\n\nlet b   = 2\nlet abc = match x {\n  1: 2,\n  else: 3 }\nlet c   = 4\n",
        "let a = 1\n# between\n\nlet b   = 2\nlet abc = match x {\n  1: 2,\n  else: 3 }\nlet c   = 4\n",
    );
    // What got out of its column gets back into it.
    demand(
        "let a   = 1\nlet abcdef = 2\nlet abc = 3\n",
        "let a      = 1\nlet abcdef = 2\nlet abc    = 3\n",
    );
    demand(
        "show a = match x {\n  < 3:   1,\n  30: 5,\n  else:  2,\n}\n",
        "show a = match x {\n  < 3:  1,\n  30:   5,\n  else: 2,\n}\n",
    );
    demand(
        "let a = 1# one\nlet b = 2\n",
        "let a = 1  # one\nlet b = 2\n",
    );
    // What has come to stand in a column by being formatted is one at once, and not when it is formatted again.
    demand(
        "show a = max(10000, # one\n  2,  # two\n  300000000000000)   # three\n",
        "show a = max(10000,  # one\n  2,                 # two\n  300000000000000)   # three\n",
    );
}

#[test]
fn comments_stand_before_what_they_are_about() {
    demand(
        "    # one\nrepeat 3 {\n# two \n let a = 1d6\n      # three\n}\n   # four\n",
        "# one\nrepeat 3 {\n  # two\n  let a = 1d6\n  # three\n}\n# four\n",
    );
}

#[test]
fn empty_lines_are_lone_and_only_between_others() {
    demand(
        "\n\nlet a = 1\n\n\n  \nlet b = 2\n\n",
        "let a = 1\n\nlet b = 2\n",
    );
}

#[test]
fn functions_are_formatted_where_they_stand() {
    let text = "name = 'Game'\n[functions]\nf = '( x )=>x+1'\n  g = \"\"\"(x,y) =>\nif x then y\n    else \"so\" \"\"\"\n[checks.a]\nrules = '''show a=1''' # one\n";
    let wanted = "name = 'Game'\n[functions]\nf = '(x) => x + 1'\n  g = \"\"\"(x, y) =>\n    if x then y\n    else \"so\" \"\"\"\n[checks.a]\nrules = '''show a = 1''' # one\n";
    assert_eq!(formatted(text), wanted);
    assert_eq!(formatted(wanted), wanted);
}

#[test]
fn outside_of_scripts_only_line_ends_are_touched() {
    let text = "name   =   'Game'   \n# one  \t\nhelp='''\ntwo  \n'''  \n\n\n[checks.a] \nrules='show a=1'\n\n  \n";
    let wanted =
        "name   =   'Game'\n# one\nhelp='''\ntwo  \n'''\n\n\n[checks.a]\nrules='show a = 1'\n";
    assert_eq!(formatted(text), wanted);
    let lines = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(formatted(&lines(text)), lines(wanted));
    let script = "[checks.a]\nrules = '''\nlet a=1\n\n\nshow b = a'''";
    let wanted = "[checks.a]\nrules = '''\nlet a = 1\n\nshow b = a'''\n";
    assert_eq!(formatted(&lines(script)), lines(wanted));
}

#[test]
fn what_can_not_be_read_is_told() {
    let errors = |text: &str| {
        let told = format::formatted(&Source::new("game.toml", text));
        let told = told.expect_err("it can't be read");
        told.0.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let text = "[functions]\nf = '(x) = x'\n[checks.a]\nrules = '''\nlet a =\nshow b = (1\n'''\n";
    let told = errors(text);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("game.toml:2:"), "{told:?}");
    assert!(told[2].starts_with("game.toml:6:"), "{told:?}");
    assert!(errors("name = 'Game'\n[package")[0].contains("game.toml:2:"));
    assert!(errors("[package]\nname = 'x'\n")[0].contains("needs `checks` or `tracks`"));
    assert!(errors("")[0].contains("empty"));
    // Names and types are looked at by others.
    assert_eq!(
        formatted("[checks.a]\nrules='show a=nobody'\n"),
        "[checks.a]\nrules='show a = nobody'\n"
    );
}
