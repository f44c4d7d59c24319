//! The schema says yes to what ships and no to what the loader refuses for its shape.

use serde_json::{Value, json};

use super::schema;

/// What is wrong with `value` by the words of JSON Schema that [`schema`] uses; other words panic.
fn faults(schema: &Value, value: &Value, path: &str, found: &mut Vec<String>) {
    for (word, rule) in schema.as_object().expect("a schema is an object") {
        let good = match word.as_str() {
            "$schema" | "title" | "description" => true,
            "type" => has_type(rule, value),
            "enum" => rule.as_array().is_some_and(|texts| texts.contains(value)),
            "pattern" => value.as_str().is_none_or(|text| matches(rule, text)),
            "minItems" => value
                .as_array()
                .is_none_or(|items| rule.as_u64() <= Some(items.len() as u64)),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| rule.as_u64() >= Some(items.len() as u64)),
            "minProperties" => value
                .as_object()
                .is_none_or(|table| rule.as_u64() <= Some(table.len() as u64)),
            "uniqueItems" => value.as_array().is_none_or(|items| {
                items
                    .iter()
                    .enumerate()
                    .all(|(at, item)| !items[..at].contains(item))
            }),
            "required" => value.as_object().is_none_or(|table| {
                let mut keys = rule
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter_map(Value::as_str);
                keys.all(|key| table.contains_key(key))
            }),
            "propertyNames" => value
                .as_object()
                .is_none_or(|table| table.keys().all(|key| matches(&rule["pattern"], key))),
            "items" => {
                for (at, item) in value.as_array().into_iter().flatten().enumerate() {
                    faults(rule, item, &format!("{path}[{at}]"), found);
                }
                true
            }
            "properties" => {
                for (key, rule) in rule.as_object().expect("a table of schemas") {
                    if let Some(part) = value.get(key) {
                        faults(rule, part, &format!("{path}.{key}"), found);
                    }
                }
                true
            }
            "additionalProperties" => {
                for (key, part) in value.as_object().into_iter().flatten() {
                    let known = schema
                        .get("properties")
                        .is_some_and(|known| known.get(key).is_some());
                    match rule {
                        _ if known => {}
                        Value::Bool(false) => {
                            found.push(format!("{path}.{key}: additionalProperties"));
                        }
                        rule => faults(rule, part, &format!("{path}.{key}"), found),
                    }
                }
                true
            }
            "anyOf" => rule
                .as_array()
                .expect("a list of schemas")
                .iter()
                .any(|rule| {
                    let mut inner = Vec::new();
                    faults(rule, value, path, &mut inner);
                    inner.is_empty()
                }),
            other => panic!("the test does not know the word {other}"),
        };
        if !good {
            found.push(format!("{path}: {word}"));
        }
    }
}

fn has_type(rule: &Value, value: &Value) -> bool {
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "integer" => value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("the test does not know the type {other}"),
    };
    match rule {
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
        name => is(name.as_str().expect("the name of a type")),
    }
}

fn matches(pattern: &Value, text: &str) -> bool {
    let pattern = pattern.as_str().expect("a pattern is a string");
    regex_lite::Regex::new(pattern)
        .expect("a regular expression")
        .is_match(text)
}

fn to_json(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => json!(text),
        toml::Value::Integer(number) => json!(number),
        toml::Value::Float(number) => json!(number),
        toml::Value::Boolean(flag) => json!(flag),
        toml::Value::Array(items) => items.iter().map(to_json).collect(),
        toml::Value::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| (key.clone(), to_json(value)));
            Value::Object(entries.collect())
        }
        other => json!({ "unexpected": other.type_str() }),
    }
}

fn judge(text: &str) -> Vec<String> {
    let table: toml::Table = text.parse().expect("the test is TOML");
    let mut found = Vec::new();
    faults(
        &schema(),
        &to_json(&toml::Value::Table(table)),
        "file",
        &mut found,
    );
    found
}

#[test]
fn what_ships_fits() {
    for (name, text) in crate::shipped() {
        assert_eq!(judge(text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn every_form_fits() {
    let text = r#"
        name = "Demo"
        require = ["a < b"]
        params.a = { default = 1, domain = "0..=3", help = "h" }
        params.b = { default = [1, 2], domain = " -5 ..= 5 " }
        params.c = { default = "x", domain = ["x", "y"], reading = "The text is open: x or y. x." }
        functions.f = "(a) => a"
        [checks.main]
        bands = ["4/5", "6"]
        inherit = []
        axes.d = { default = "x", domain = ["x", "y"], sweep = "all" }
        axes.e = { default = 0, domain = "0..=1", sweep = [0, 1] }
        contest = "x"
        ties = "defender"
        maximise = "x > 3"
        rules = "show x = 1"
        [tracks.clock]
        help = "h"
        inherit = ["main"]
        bands = ["a", "b"]
        axes.slots = { default = 4, domain = "1..=9" }
        require = ["slots > 0"]
        rules = "let n = 0 repeat until n == slots { set n = n + 1 }"
        [[charts]]
        check = "main"
        title = "t"
        kind = "lines"
        x = "e"
        by = "d=x,y"
        facet = "a"
        query = "x"
        set = ["a=1"]
        [[charts]]
        query = ["x", "y"]
        set = "a=1"
        [[expect]]
        intent = "It is so."
        check = "main"
        set = "a=1"
        sweep = ["e", "d=x"]
        query = ["x", "y"]
        at_least = 0.5
        at_most = "55 %"
        [[expect]]
        intent = "It is so."
        sweep = "all"
        sum = ["x", "y"]
        step = "e"
        between = [0, "1/3"]
        [[expect]]
        intent = "It is so."
        query = "x"
        increases = "e"
        strictly = true
        [[expect]]
        intent = "It is so."
        query = "x"
        ordered = ["d=x", ["d=y", "e=1"]]
        [[expect]]
        intent = "It is so."
        reachable = "x"
        somewhere = false
        [[expect]]
        intent = "It is so."
        unreachable = ["x"]
        [[expect]]
        intent = "It is so."
        query = "x"
        decreases = "e"
        [[expect]]
        intent = "It is so."
        query = "x"
        x = "e"
        by = "d"
        printed = [["36 %", 0.2], ["-", 1]]
        [[expect]]
        intent = "It is so."
        query = "x"
        x = "e"
        printed = [0.1, "20 %"]
        [[expect]]
        intent = "It is so."
        query = "x"
        printed = 1
    "#;
    assert_eq!(judge(text), Vec::<String>::new());
    // Either of the two is enough.
    for tables in ["checks.a", "tracks.a"] {
        let text = format!("name = \"Demo\"\n{tables}.rules = \"show x = 1\"");
        assert_eq!(judge(&text), Vec::<String>::new());
    }
}

#[test]
fn every_rule_for_ties_is_one() {
    let schema = schema();
    let rules =
        &schema["properties"]["checks"]["additionalProperties"]["properties"]["ties"]["enum"];
    let names = crate::Ties::ALL.map(|(name, _)| name);
    assert_eq!(*rules, json!(names));
}

#[test]
fn every_kind_of_chart_is_one() {
    let schema = schema();
    let kinds = &schema["properties"]["charts"]["items"]["properties"]["kind"]["enum"];
    let names = crate::ChartKind::ALL.map(|(name, _)| name);
    assert_eq!(*kinds, json!(names));
}

#[test]
fn what_the_loader_refuses_for_its_shape_does_not_fit() {
    let cases = [
        (r#"checks.a.rules = """#, "file: required"),
        (r#"name = "Demo""#, "file: anyOf"),
        ("[checks]", "file.checks: minProperties"),
        ("[tracks]", "file.tracks: minProperties"),
        (r#"checks.a.ties = "nobody""#, "file.checks.a.ties: enum"),
        (r#"checks.a.contest = 3"#, "file.checks.a.contest: type"),
        (
            r#"checks.a.maximise = ["x"]"#,
            "file.checks.a.maximise: type",
        ),
        (
            r#"tracks.a.contest = "x""#,
            "file.tracks.a.contest: additionalProperties",
        ),
        (
            r#"tracks.a.maximise = ["x"]"#,
            "file.tracks.a.maximise: type",
        ),
        (r#"tracks.a.help = "x""#, "file.tracks.a: required"),
        (r#"tracks."a b".rules = "x""#, "file.tracks: propertyNames"),
        (r#"params.a.reading = 3"#, "file.params.a.reading: type"),
        (
            r#"checks.a.axes.x.reading = "x""#,
            "file.checks.a.axes.x.reading: additionalProperties",
        ),
        (r#"name = 1"#, "file.name: type"),
        (r#"nam = """#, "file.nam: additionalProperties"),
        (r#"params.a = { default = 1 }"#, "file.params.a: required"),
        (r#"params.a.domain = "1..6""#, "file.params.a.domain: anyOf"),
        (
            r#"params."a b" = { default = 1, domain = "1..=2" }"#,
            "file.params: propertyNames",
        ),
        (r#"functions.f = "a + 1""#, "file.functions.f: pattern"),
        (
            r#"checks.a.bands = ["Miss", "Miss"]"#,
            "file.checks.a.bands: uniqueItems",
        ),
        (
            r#"checks.a.bands = ["A&B"]"#,
            "file.checks.a.bands[0]: pattern",
        ),
        (r#"checks.a.bands = []"#, "file.checks.a.bands: minItems"),
        (
            r#"checks.a.axes.x.default = [1]"#,
            "file.checks.a.axes.x.default: type",
        ),
        (
            r#"checks.a.axes.x.sweep = """#,
            "file.checks.a.axes.x.sweep: anyOf",
        ),
        (r#"charts.a.x = "y""#, "file.charts: type"),
        (r#"expect.intent = "y""#, "file.expect: type"),
        (r#"expect = [{ query = "x" }]"#, "file.expect[0]: required"),
        (
            r#"expect = [{ intent = 3 }]"#,
            "file.expect[0].intent: type",
        ),
        (
            r#"expect = [{ at_least = [0.5] }]"#,
            "file.expect[0].at_least: type",
        ),
        (
            r#"expect = [{ between = [0, 1, 2] }]"#,
            "file.expect[0].between: maxItems",
        ),
        (
            r#"expect = [{ between = [0] }]"#,
            "file.expect[0].between: minItems",
        ),
        (
            r#"expect = [{ strictly = "yes" }]"#,
            "file.expect[0].strictly: type",
        ),
        (
            r#"expect = [{ ordered = ["a=1"] }]"#,
            "file.expect[0].ordered: minItems",
        ),
        (
            r#"expect = [{ printed = [[[1]]] }]"#,
            "file.expect[0].printed: anyOf",
        ),
        (r#"charts = ["x"]"#, "file.charts[0]: type"),
        (
            r#"charts = [{ kind = "pie" }]"#,
            "file.charts[0].kind: enum",
        ),
        (r#"charts = [{ x = ["a"] }]"#, "file.charts[0].x: type"),
        (r#"charts = [{ query = 3 }]"#, "file.charts[0].query: anyOf"),
        (
            r#"charts = [{ axis = "a" }]"#,
            "file.charts[0].axis: additionalProperties",
        ),
    ];
    for (text, fault) in cases {
        assert!(
            judge(text).iter().any(|found| found == fault),
            "{text}: {:?}",
            judge(text)
        );
    }
}
