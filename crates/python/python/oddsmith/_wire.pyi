"""The types of answers that are dictionaries. `tests/wire_types.py` wrote this from the JSON Schema of the answers."""

from fractions import Fraction
from typing import Any, Optional, TypedDict, Union

from typing_extensions import NotRequired

class AnyDiceOdds(TypedDict):
    """The answer of `oddsmith anydice`: the outputs of a program."""

    outputs: list[AnyDiceOutput]

class AnyDiceOutput(TypedDict):
    """An output of an AnyDice program."""

    label: str
    cut: Union[Fraction, float]
    distribution: Optional[Distribution]

class BandNumber(TypedDict):
    """The number behind the bands."""

    name: str
    rises: Optional[bool]
    thresholds: Optional[list[Optional[int]]]

class BestOption(TypedDict):
    """What is best in one state."""

    seen: NamedKnownValue
    chosen: KnownValue
    probability: Union[Fraction, float]
    worth: Union[Fraction, float]
    lead: Optional[Union[Fraction, float]]

class ChangeSize(TypedDict):
    """How far a candidate is from the ruleset as it is."""

    parameters: int
    by: Union[Fraction, float]

class Changes(TypedDict):
    """What a number changes by in many configurations."""

    typical: Fraction
    size: Fraction
    least: Fraction
    most: Fraction
    changed: int

class ChartOverview(TypedDict):
    """A chart that the ruleset declares."""

    kind: str
    check: str
    axes: str
    title: str

class CheckOverview(TypedDict):
    """A check or a track."""

    name: str
    label: str
    is_track: bool
    unit: list[str]
    help: str
    axes: list[InputOverview]
    requires: list[str]
    shown: Shown
    first_roll: Shown
    contest: Optional[ContestOverview]
    titles: list[list[str]]
    maximise: Optional[str]
    examples: list[Example]

class ChiSquare(TypedDict):
    """A chi-square test: how well all cells together fit their probabilities."""

    of: str
    statistic: float
    df: int
    p: float

class Choice(TypedDict):
    """A choice, as a table to play by."""

    choice: str
    is_opposed: bool
    rounds: list[int]
    rows: list[BestOption]

class ColumnDrift(TypedDict):
    """The drift of a column."""

    name: str
    is_probability: bool
    tolerance: Union[Fraction, float]
    moved: int
    largest: Optional[Union[Fraction, float]]
    at: Optional[str]
    largest_within: Optional[Union[Fraction, float]]

Compared = Union[list[str], str]

class ComparedLine(TypedDict):
    """The answers of both sides to one question."""

    outcome: str
    kind: str
    a: Optional[Union[Fraction, float]]
    b: Optional[Union[Fraction, float]]
    difference: Optional[Fraction]

class ComparedRow(TypedDict):
    """Both sides in one configuration."""

    configuration: NamedSetting
    outcomes: list[ComparedLine]
    variation: Optional[Fraction]
    distance: Optional[Fraction]
    order: Optional[str]

class ComparedSide(TypedDict):
    """One side."""

    ruleset: str
    check: str
    configuration: Configuration

class ComparisonOdds(TypedDict):
    """The answer of `oddsmith compare`."""

    a: ComparedSide
    b: ComparedSide
    sweep: NamedArray_of_Setting
    compared: Optional[Compared]
    rows: list[ComparedRow]
    summary: ComparisonSummary

class ComparisonSummary(TypedDict):
    """All rows of a comparison in a few numbers."""

    configurations: int
    orders: Orders
    only_a: int
    only_b: int
    variation: Largest
    distance: Largest
    differences: NamedLargest

Configuration = dict[str, Setting]

class ContestNames(TypedDict):
    """What a contest is about."""

    ruleset: str
    check: str
    against: str
    ties: str
    compare: list[str]

class ContestOdds(TypedDict):
    """The answer of `oddsmith contest`."""

    ruleset: str
    check: str
    against: str
    ties: str
    compare: list[str]
    configuration: Configuration
    outcomes: list[Outcome]

class ContestOverview(TypedDict):
    """The rule of contests."""

    compare: str
    ties: str

Count = Union[int, Union[Fraction, float]]

DialOption = Union[Setting, list[Setting]]

class DiceOdds(TypedDict):
    """The answer of `oddsmith dist` to queries."""

    expression: str
    outcomes: list[Outcome]

Distance = Union[Fraction, Union[Fraction, float]]

class Distribution(TypedDict):
    """The answer of `oddsmith dist`: a whole distribution."""

    expression: str
    total: Union[Fraction, float]
    mean: Union[Fraction, float]
    variance: Union[Fraction, float]
    outcomes: list[Value]

class Distributions(TypedDict):
    """The answer of `oddsmith dist` about several expressions."""

    distributions: list[Distribution]

class DriftCause(TypedDict):
    """Why odds moved."""

    cause: str
    line: int
    column: int

class Estimated(TypedDict):
    """A question that was put to trials."""

    outcome: str
    kind: str
    count: Optional[Count]
    trials: int
    estimate: Optional[float]
    std_error: Optional[float]
    low: Optional[float]
    high: Optional[float]
    exact: Optional[float]
    z: Optional[float]
    p: Optional[float]

class Example(TypedDict):
    """A query about a check."""

    query: str
    meaning: str

Exchange = TypedDict(
    "Exchange",
    {
        "step": str,
        "worth": Fraction,
        "is": NamedFraction,
    },
)

class ExpectationOdds(TypedDict):
    """An expectation of a ruleset, and what became of it."""

    intent: str
    source: Optional[str]
    check: str
    status: str
    summary: str
    failures: Optional[int]
    configurations: Optional[int]
    worst: list[FailingCase]
    line: int
    column: int

class ExpectationOverview(TypedDict):
    """An expectation that the ruleset declares."""

    check: str
    intent: str

class ExplainedDistribution(TypedDict):
    """The answer of `oddsmith dist --explain`."""

    expression: str
    outcomes: int
    predicted_ns: int
    took_ns: int
    steps: list[ExplainedStep]

class ExplainedStep(TypedDict):
    """A question that was put to dice or a pool."""

    depth: int
    question: str
    algorithm: str
    reason: str
    bits: int
    numbers: str
    predicted_ns: int
    took_ns: int

class FailingCase(TypedDict):
    """A case in which an expectation does not hold."""

    text: str
    configuration: str
    query: str
    values: list[Union[Fraction, float]]

class InputOverview(TypedDict):
    """An axis or a parameter, or a list of them."""

    name: str
    label: str
    value_labels: list[list[Union[int, str]]]
    values: str
    default: str
    sweep: str
    help: str
    reading: str
    others: str

KnownValue = Union[int, str, list[int]]

class Largest(TypedDict):
    """One number over many configurations."""

    largest: Optional[Fraction]
    at: Optional[NamedSetting]
    mean: Optional[Fraction]

class LeverValue(TypedDict):
    """A lever, and what its steps are worth."""

    lever: str
    role: str
    swept: bool
    steps: list[StepValue]
    up: StepSummary

class LintEvidence(TypedDict):
    """A case of a finding."""

    configuration: str
    outcome: str
    kind: str
    values: list[LintValue]
    rolls: NotRequired[Optional[int]]
    flat: NotRequired[Optional[list[Union[Fraction, float]]]]

class LintFacts(TypedDict):
    """What a rule tells beside numbers; a rule has only what it speaks of."""

    event: NotRequired[Optional[str]]
    stretches: NotRequired[Optional[list[list[str]]]]
    label: NotRequired[Optional[str]]
    by: NotRequired[Optional[str]]
    pairs: NotRequired[Optional[list[LintPair]]]
    default: NotRequired[Optional[str]]
    rises: NotRequired[Optional[bool]]
    word: NotRequired[Optional[str]]
    first: NotRequired[Optional[list[str]]]
    opposed: NotRequired[Optional[list[list[str]]]]

class LintFinding(TypedDict):
    """Something that is odd about the odds of a ruleset."""

    id: str
    rule: str
    severity: str
    check: str
    also: list[str]
    alike: list[str]
    levers: list[str]
    message: str
    advice: str
    accepted: Optional[str]
    configurations: int
    of_configurations: Optional[int]
    seen: int
    of: int
    facts: LintFacts
    evidence: list[LintEvidence]
    line: int
    column: int

class LintFindings(TypedDict):
    """The answer of `oddsmith balance lint`."""

    ruleset: str
    file: str
    findings: list[LintFinding]
    accepted: int
    stale: list[UnmetAcceptance]

class LintPair(TypedDict):
    """Two labels, and where each is the better one."""

    labels: list[str]
    wins: LintWins
    split: list[LintStretch]

class LintStretch(TypedDict):
    """Values of an axis for which one of two labels is mostly the better one."""

    axis: str
    values: list[str]
    wins: LintWins
    split: list[LintStretch]

class LintValue(TypedDict):
    """A number along a lever."""

    at: str
    value: Union[Fraction, float]

class LintWins(TypedDict):
    """The numbers of configurations in which one of two labels is better."""

    better: list[int]
    neither: int
    equal: int

class MovedAnswer(TypedDict):
    """An answer that is no longer what it was."""

    configuration: str
    column: str
    before: Optional[Union[Fraction, float]]
    after: Optional[Union[Fraction, float]]
    difference: Optional[Union[Fraction, float]]

NamedArray_of_DialOption = dict[str, list[DialOption]]

NamedArray_of_Setting = dict[str, list[Setting]]

NamedDialOption = dict[str, DialOption]

NamedExact = dict[str, Union[Fraction, float]]

NamedFraction = dict[str, Fraction]

NamedKnownValue = dict[str, KnownValue]

NamedLargest = dict[str, Largest]

NamedNullable_Changes = dict[str, Optional[Changes]]

NamedNullable_Exact = dict[str, Optional[Union[Fraction, float]]]

NamedNullable_string = dict[str, Optional[str]]

NamedSetting = dict[str, Setting]

Namedint64 = dict[str, int]

class Odds(TypedDict):
    """The answer of `oddsmith odds`."""

    ruleset: str
    check: str
    configuration: Configuration
    outcomes: list[Outcome]

class Orders(TypedDict):
    """The numbers of rows in which two sides stand in each order."""

    equal: int
    a: int
    b: int
    neither: int

class Outcome(TypedDict):
    """A question and its answer."""

    outcome: str
    title: NotRequired[Optional[str]]
    kind: str
    probability: Union[Fraction, float]

class Overview(TypedDict):
    """What a ruleset offers: what can be set, what can be asked, and what its author says of it."""

    ruleset: str
    title: str
    help: str
    parameters: list[InputOverview]
    checks: list[CheckOverview]
    charts: list[ChartOverview]
    expectations: list[ExpectationOverview]
    resources: list[ResourceOverview]

class ParetoSet(TypedDict):
    """The candidates that no other one equals or beats in all wishes and beats in one."""

    candidates: int
    distinct: int
    members: list[TuningCandidate]

class PlanOdds(TypedDict):
    """The answer of `oddsmith balance plan`."""

    ruleset: str
    check: str
    utility: str
    checks: int
    resources: list[SceneResource]
    configurations: list[Configuration]
    ways: list[WayToPlay]
    states: list[PlanState]

class PlanState(TypedDict):
    """A number of checks and points that is left, and what is best there; its numbers are fractions."""

    checks_left: int
    points_left: Namedint64
    probability: Union[Fraction, float]
    value: Union[Fraction, float]
    one_more: NamedNullable_Exact
    points: Namedint64
    way: NamedNullable_string
    choices: list[Choice]

class PolicyOdds(TypedDict):
    """The answer of `oddsmith policy`."""

    ruleset: str
    check: str
    configuration: Configuration
    maximise: str
    by: str
    rows: list[Way]
    choices: list[Choice]

class ProjectOdds(TypedDict):
    """The answer of `oddsmith check`."""

    status: str
    as_intended: Optional[bool]
    rulesets: list[RulesetOdds]
    without_ruleset: list[str]

class ResourceOverview(TypedDict):
    """A resource that is spent."""

    name: str
    axis: str
    checks: list[str]
    help: str

class RolledConfiguration(TypedDict):
    """The trials of a configuration."""

    configuration: Configuration
    trials: int
    unfinished: int
    dice: int
    outcomes: list[Estimated]
    chi_square: Optional[ChiSquare]

class RulesetDrift(TypedDict):
    """A ruleset that was compared with its accepted odds."""

    name: str
    file: str
    status: str
    causes: list[DriftCause]
    rules_changed: bool
    tables: list[TableOdds]
    expectations: list[ExpectationOdds]

RulesetOdds = Union[RulesetDrift, RulesetTrouble]

class RulesetTrouble(TypedDict):
    """A ruleset that could not be checked."""

    name: str
    file: str
    status: str
    errors: list[TroubleReason]

class SceneResource(TypedDict):
    """A resource that is spent over the checks of a scene."""

    resource: str
    axis: str
    pool: int
    most_for_one_check: int
    before_the_roll: bool

class SceneResult(TypedDict):
    """What comes of a scene on average, in fractions."""

    value: Union[Fraction, float]
    spent: NamedExact
    bands: NamedExact

Setting = Union[int, str]

class Shown(TypedDict):
    """The outcomes that are shown."""

    bands: list[str]
    flags: list[str]
    numbers: list[str]
    labels: list[list[Union[str, list[str]]]]

class Simulated(TypedDict):
    """The answer of `oddsmith simulate`."""

    seed: int
    interrupted: bool
    level: float
    comparisons: int
    disagreements: int
    most_rounds: NotRequired[Optional[int]]
    expression: NotRequired[str]
    ruleset: NotRequired[str]
    check: NotRequired[str]
    track: NotRequired[str]
    against: NotRequired[str]
    ties: NotRequired[str]
    compare: NotRequired[list[str]]
    configuration: NotRequired[Configuration]
    trials: NotRequired[int]
    unfinished: NotRequired[int]
    dice: NotRequired[int]
    outcomes: NotRequired[list[Estimated]]
    chi_square: NotRequired[Optional[ChiSquare]]
    configurations: NotRequired[list[RolledConfiguration]]

class StepSummary(TypedDict):
    """What steps are worth over all configurations."""

    count: int
    active: int
    changes: NamedNullable_Changes
    flat: NamedNullable_Changes

StepValue = TypedDict(
    "StepValue",
    {
        "count": int,
        "active": int,
        "changes": NamedNullable_Changes,
        "flat": NamedNullable_Changes,
        "from": Setting,
        "to": Setting,
    },
)

class StepValues(TypedDict):
    """The answer of `oddsmith balance value`."""

    ruleset: str
    check: str
    configuration: Configuration
    sweep: NamedArray_of_Setting
    configurations: int
    number: Optional[BandNumber]
    levers: list[LeverValue]
    exchange: list[Exchange]

class TableOdds(TypedDict):
    """The table of a check or a track."""

    name: str
    status: str
    line: int
    column: int
    causes: NotRequired[list[DriftCause]]
    configurations: NotRequired[int]
    moved_configurations: NotRequired[int]
    within_tolerance: NotRequired[int]
    new_configurations: NotRequired[int]
    gone_configurations: NotRequired[int]
    moved_answers: NotRequired[int]
    columns: NotRequired[list[ColumnDrift]]
    moved: NotRequired[list[MovedAnswer]]

class TrackOdds(TypedDict):
    """The answer of `oddsmith track`."""

    ruleset: str
    track: str
    configuration: Configuration
    outcomes: list[Outcome]

class TrackPlanOdds(TypedDict):
    """The answer of `oddsmith balance plan` for a track."""

    ruleset: str
    track: str
    configuration: Configuration
    maximise: str
    is_chance: bool
    resources: list[TrackResource]
    ways: list[WayThroughTrack]
    choices: list[Choice]

class TrackResource(TypedDict):
    """A resource that is spent over the rounds of a track."""

    resource: str
    axis: str
    pool: int
    before_the_roll: bool
    one_more: list[Optional[Union[Fraction, float]]]

class TrackResult(TypedDict):
    """What comes of a track out of points."""

    outcomes: list[Outcome]
    rounds: Optional[Union[Fraction, float]]
    spent: Optional[NamedExact]

class TroubleReason(TypedDict):
    """Why a ruleset could not be checked."""

    message: str
    line: Optional[int]
    column: Optional[int]

class TuningCandidate(TypedDict):
    """A candidate."""

    candidate: int
    values: NamedDialOption
    changes: ChangeSize
    answers: list[Optional[Union[Fraction, float]]]
    off: list[Optional[Distance]]
    total: Optional[Distance]
    pareto: Optional[bool]

class TuningGoal(TypedDict):
    """A goal, which is met or missed, or a wish."""

    goal: str
    intent: Optional[str]
    aim: str
    hard: bool
    kind: str
    now: Optional[Union[Fraction, float]]
    excluded: Optional[int]
    met_alone: Optional[int]

TuningOdds = TypedDict(
    "TuningOdds",
    {
        "ruleset": str,
        "check": str,
        "vary": NamedArray_of_DialOption,
        "goals": list[TuningGoal],
        "candidates": int,
        "from": int,
        "until": int,
        "forbidden": int,
        "met": int,
        "equally_good": int,
        "asked": int,
        "method": str,
        "best": list[TuningCandidate],
        "pareto": Optional[ParetoSet],
        "proof": Optional[TuningProof],
        "patch": Optional[str],
    },
)

class TuningProof(TypedDict):
    """Why no candidate meets the goals."""

    legal: int
    conflict: list[int]
    nearest: Optional[TuningCandidate]

class UnmetAcceptance(TypedDict):
    """An acceptance that meets no finding."""

    finding: str
    line: int
    column: int

class Value(TypedDict):
    """A value that can come up."""

    outcome: int
    weight: Union[Fraction, float]
    probability: float
    at_least: float
    at_most: float

class ValueDistribution(TypedDict):
    """The answer of `oddsmith dist` about values of a check."""

    ruleset: str
    check: str
    configuration: Configuration
    values: list[str]
    total: Union[Fraction, float]
    mean: NotRequired[Optional[Union[Fraction, float]]]
    variance: NotRequired[Optional[Union[Fraction, float]]]
    outcomes: list[ValueOutcome]

class ValueOutcome(TypedDict):
    """A combination of values that can come up."""

    values: list[Setting]
    weight: Union[Fraction, float]
    probability: float
    at_least: NotRequired[Optional[float]]
    at_most: NotRequired[Optional[float]]

class Way(TypedDict):
    """One way to choose."""

    value: str
    is_optimal: bool
    outcomes: list[Outcome]

class WayThroughTrack(TypedDict):
    """A way to play a track."""

    way: str
    is_plan: bool
    result: Optional[TrackResult]

class WayToPlay(TypedDict):
    """A way to play."""

    way: str
    is_plan: bool
    result: Optional[SceneResult]
