package io.hiroba.records.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.records.AttributeChange;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.RecordRow;
import io.hiroba.records.Records;
import io.hiroba.records.Retypes;
import io.hiroba.records.RowId;
import io.hiroba.records.TestAttachments;
import io.hiroba.records.TestComputations;
import io.hiroba.records.ValueType;
import io.hiroba.records.WriteResult;
import io.hiroba.testkit.TestRecords;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Random records in a database, and beside them what was written, with all that the server fills in and computes worked out by hand. */
final class RecordModel {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> COLORS = List.of("red", "green", "blue", "");
    private static final int PARTS = 12;

    /** The number of records that is not grown beyond, so that each may be a group of its own. */
    private static final int MAX_THINGS = 800;

    private static final BigDecimal CLOSE = new BigDecimal("1e-9");

    /** What was renamed, and how it was called before. */
    private static final Map<String, String> FORMER = Map.of("名前", "name", "価格", "price", "sold (any)", "sold");

    final RandomAttributes attributes;
    final ProjectAccess owner;

    /** The values by name of each record by its id, and of those that they refer to. */
    final Map<String, ObjectNode> things = new LinkedHashMap<>();

    final Map<String, ObjectNode> parts = new LinkedHashMap<>();

    private final TestRecords records;
    private final Random random;
    private final List<ProjectAccess> writers;
    private final List<ObjectNode> files = new ArrayList<>();
    private final Map<String, Integer> versions = new LinkedHashMap<>();
    private final Map<String, ObjectNode> deleted = new LinkedHashMap<>();
    private int number;

    /** Whether a tag is one option still. */
    private boolean single = true;

    RecordModel(TestRecords records, Random random) {
        this.records = records;
        this.random = random;
        owner = records.project();
        writers = List.of(owner, records.member(owner, ProjectRole.EDITOR));
        var people = Stream.concat(
                        writers.stream(),
                        Stream.generate(() -> records.member(owner, ProjectRole.VIEWER))
                                .limit(3))
                .map(each -> each.user().hex())
                .toList();
        RandomAttributes.define(records, owner);
        var computed = new RandomAttributes(random, people, List.of());
        for (int i = 0; i < PARTS; i++) {
            var part = JSON.objectNode();
            var color = COLORS.get(i % 4);
            put(part, "color", color.isEmpty() ? null : JSON.stringNode(color));
            put(part, "weight", i % 5 == 0 ? null : JSON.numberNode(new BigDecimal(i % 6)));
            put(part, "due", i % 3 == 0 ? null : computed.day());
            put(part, "tint", i % 3 == 0 ? null : TestRecords.json(i % 3 == 1 ? "['x']" : "['y', 'x']"));
            put(part, "keeper", i % 4 == 1 ? null : JSON.stringNode(people.get(i % people.size())));
            parts.put(records.one(owner, "part", part.toString()).toString(), part);
        }
        attributes = new RandomAttributes(random, people, List.copyOf(parts.keySet()));
        files.addAll(TestAttachments.upload(records, owner, 40));
    }

    /** Makes {@code rows} records, and changes names and types between. */
    void fill(int rows) {
        rename("名前");
        insert(rows / 2);
        // Written under one name, asked for under another.
        rename("価格");
        rename("sold (any)");
        // Other types and back: values of other attributes under the same names.
        retype("価格", ValueType.TEXT, ValueType.NUMERIC);
        retype("made", ValueType.DATETIME, ValueType.DATE);
        compute();
        insert(rows - rows / 2);
        retype("sold", ValueType.TEXT, ValueType.BOOL);
        retype("tag", ValueType.MULTI_SELECT);
        single = false;
        settle();
    }

    private void compute() {
        // An attribute is filled for the records that are there.
        add("thing", "label", "{'formula': 'email + \\'!\\''}");
        add("thing", "hue", "{'lookup': {'relation': 'ref', 'attribute': 'color'}}");
        rollup("uses", "'relation': 'ref', 'function': 'count'");
        rollup("worth", "'relation': 'ref', 'attribute': 'twice', 'function': 'sum'");
        rollup("least", "'relation': 'ref', 'attribute': '価格', 'function': 'min'");
        rollup("mean", "'relation': 'ref', 'attribute': 'takes', 'function': 'average'");
        rollup("last", "'relation': 'ref', 'attribute': 'made', 'function': 'max'");
        rollup("listed", "'relation': 'parts', 'function': 'count'");
        add("thing", "demand", "{'lookup': {'relation': 'ref', 'attribute': 'uses'}}");
        add("thing", "rank", "{'formula': 'demand * 10 + 1'}");
    }

    private void rollup(String name, String rest) {
        add("part", name, "{'rollup': {'schema': 'thing', %s}}".formatted(rest));
    }

    private void add(String schema, String name, String definition) {
        TestComputations.add(records, owner, schema, name, definition);
    }

    private void rename(String name) {
        records.changes.change(owner, "thing", FORMER.get(name), new AttributeChange(name, null, false));
    }

    private void retype(String name, ValueType... types) {
        for (var type : types) {
            records.retypes.change(owner, "thing", name, new Retypes.Change(type, false));
        }
    }

    /** The name, the one before or the id: each leads to the attribute. */
    String written(String name) {
        var attribute = records.catalog.cached(owner.tables(), "thing").attribute(name);
        if (attribute.isEmpty()) {
            return FORMER.getOrDefault(name, name);
        }
        return switch (random.nextInt(3)) {
            case 0 -> name;
            case 1 -> FORMER.getOrDefault(name, name);
            default -> String.valueOf(attribute.get().id());
        };
    }

    /** Writes a few records: new ones, changes of some values or of all, deletions, and some that come back. */
    void write() {
        for (int i = 0; i < 4; i++) {
            insert(1 + random.nextInt(3));
            change(true);
            change(false);
        }
        var part = any(parts);
        var color = JSON.stringNode(COLORS.get(random.nextInt(3)));
        records.records.patch(
                writer(), "part", RowId.parse(part), JSON.objectNode().<ObjectNode>set("color", color), null);
        node(parts, part).set("color", color);
        for (int i = Math.max(1, things.size() - MAX_THINGS); i > 0; i--) {
            var gone = any(things);
            records.records.delete(writer(), "thing", RowId.parse(gone), null);
            deleted.put(gone, Objects.requireNonNull(things.remove(gone)));
        }
        if (deleted.size() > 3) {
            restore(any(deleted));
        }
        settle();
    }

    private void restore(String id) {
        var writer = writer();
        var view = records.history.restore(
                writer, "thing", RowId.parse(id), Objects.requireNonNull(versions.get(id)), null);
        var values = Objects.requireNonNull(deleted.remove(id));
        values.put("changed_at", view.updatedAt().toString());
        values.put("changed_by", writer.user().hex());
        versions.put(id, view.version());
        things.put(id, values);
    }

    private void insert(int rows) {
        var writer = writer();
        var shown = Stream.generate(() -> record(true, writer)).limit(rows).toList();
        var results = records.records.create(
                writer, "thing", shown.stream().<JsonNode>map(this::sent).toList(), true);
        for (int i = 0; i < rows; i++) {
            var row = row(results.get(i));
            var values = shown.get(i);
            values.put("no", ++number);
            values.put("made_at", row.id().createdAt().toString());
            values.put("made_by", writer.user().hex());
            things.put(row.id().toString(), values);
            changed(row, writer.user(), values);
        }
    }

    private void change(boolean merged) {
        var writer = writer();
        var id = any(things);
        var before = node(things, id);
        var given = record(!merged, writer);
        var values = merged ? before.deepCopy() : given.deepCopy();
        if (merged) {
            given.properties().forEach(each -> values.set(each.getKey(), each.getValue()));
            var taken =
                    attributes.written().get(random.nextInt(attributes.written().size()));
            if (!taken.equals("kind")) {
                given.putNull(taken);
                values.remove(taken);
            }
        }
        for (var generated : List.of("no", "made_at", "made_by", "changed_at", "changed_by")) {
            values.set(generated, before.path(generated));
        }
        var change = new Records.Change(RowId.parse(id), null, sent(given), merged);
        var row = row(
                records.records.change(writer, "thing", List.of(change), true).getFirst());
        things.put(id, values);
        if (row.version() != versions.get(id)) {
            changed(row, writer.user(), values);
        }
    }

    private void changed(RecordRow row, UserId writer, ObjectNode values) {
        versions.put(row.id().toString(), row.version());
        values.put("changed_at", row.updatedAt().toString());
        values.put("changed_by", writer.hex());
    }

    private static RecordRow row(WriteResult result) {
        return switch (result) {
            case WriteResult.Written(var row) -> row;
            case WriteResult.Refused(var problem) -> throw problem;
        };
    }

    /** Values of a record as they are shown. */
    private ObjectNode record(boolean whole, ProjectAccess writer) {
        var record = JSON.objectNode();
        for (var name : attributes.written()) {
            if (whole && name.equals("kind") || random.nextInt(4) > (whole ? 0 : 2)) {
                var value = attributes.value(name);
                if (single && name.equals("tag") && !value.isEmpty()) {
                    value = JSON.arrayNode().add(value.path(0));
                }
                put(record, name, value.isArray() && value.isEmpty() && !name.equals("more") ? null : value);
            }
        }
        // Nobody else may use them.
        if (writer == owner && !files.isEmpty() && random.nextInt(8) == 0) {
            record.putArray("files").add(files.removeLast());
        }
        return record;
    }

    /** The same as it is sent: under any name, and of a list that was a single option, as that. */
    private ObjectNode sent(ObjectNode shown) {
        var sent = JSON.objectNode();
        shown.properties().forEach(each -> {
            boolean option = single && each.getKey().equals("tag");
            sent.set(written(each.getKey()), option ? each.getValue().path(0) : each.getValue());
        });
        return sent;
    }

    private ProjectAccess writer() {
        return writers.get(random.nextInt(writers.size()));
    }

    private String any(Map<String, ObjectNode> of) {
        return List.copyOf(of.keySet()).get(random.nextInt(of.size()));
    }

    private static ObjectNode node(Map<String, ObjectNode> of, String id) {
        return Objects.requireNonNull(of.get(id));
    }

    private static void put(ObjectNode into, String name, @Nullable JsonNode value) {
        if (value == null) {
            into.remove(name);
        } else {
            into.set(name, value);
        }
    }

    /** Has what is computed computed, here and there. */
    void settle() {
        TestComputations.runAll(records);
        for (var thing : things.values()) {
            var cost = thing.get("cost");
            var twice = cost == null ? null : cost.decimalValue().multiply(BigDecimal.TWO);
            put(thing, "twice", twice == null ? null : JSON.numberNode(twice));
            put(thing, "dear", twice == null ? null : JSON.booleanNode(twice.compareTo(new BigDecimal(20)) > 0));
            put(
                    thing,
                    "label",
                    thing.has("email") ? JSON.stringNode(thing.path("email").stringValue() + "!") : null);
        }
        parts.forEach((id, part) -> {
            var weight = part.get("weight");
            put(part, "heavy", weight == null ? null : JSON.booleanNode(weight.intValue() >= 3));
            var of = things.values().stream()
                    .filter(thing -> thing.path("ref").asString("").equals(id))
                    .toList();
            part.put("uses", of.size());
            put(
                    part,
                    "worth",
                    number(of, "twice", all -> all.reduce(BigDecimal::add).orElseThrow()));
            put(
                    part,
                    "least",
                    number(of, "価格", all -> all.min(Comparator.naturalOrder()).orElseThrow()));
            put(part, "mean", number(of, "takes", RecordModel::mean));
            put(
                    part,
                    "last",
                    of.stream()
                            .filter(each -> each.has("made"))
                            .map(each -> each.path("made"))
                            .max(Comparator.comparing(JsonNode::stringValue))
                            .orElse(null));
            part.put(
                    "listed",
                    things.values().stream()
                            .filter(thing -> thing.path("parts")
                                    .valueStream()
                                    .anyMatch(each -> each.stringValue().equals(id)))
                            .count());
        });
        for (var thing : things.values()) {
            var part = parts.get(thing.path("ref").asString(""));
            put(thing, "hue", part == null ? null : part.get("color"));
            put(thing, "demand", part == null ? null : part.get("uses"));
            put(
                    thing,
                    "rank",
                    part == null ? null : JSON.numberNode(part.path("uses").intValue() * 10 + 1));
        }
    }

    private static @Nullable JsonNode number(
            List<ObjectNode> of, String name, Function<Stream<BigDecimal>, BigDecimal> function) {
        var values = of.stream()
                .filter(each -> each.has(name))
                .map(each -> each.path(name).decimalValue())
                .toList();
        return values.isEmpty() ? null : JSON.numberNode(function.apply(values.stream()));
    }

    private static BigDecimal mean(Stream<BigDecimal> of) {
        var values = of.toList();
        var sum = values.stream().reduce(BigDecimal::add).orElseThrow();
        return sum.divide(new BigDecimal(values.size()), 15, RoundingMode.HALF_EVEN);
    }

    /**
     * Requires that all records are as they should be.
     *
     * @param read reads the records of a schema, their values by their ids
     */
    void requireSame(String seed, Function<String, Map<String, ObjectNode>> read) {
        requireSame(seed + ", thing", read.apply("thing"), things);
        requireSame(seed + ", part", read.apply("part"), parts);
    }

    private static void requireSame(String seed, Map<String, ObjectNode> read, Map<String, ObjectNode> expected) {
        assertThat(read.keySet()).as(seed).isEqualTo(expected.keySet());
        expected.forEach((id, values) -> {
            var found = node(read, id);
            assertThat(found.propertyNames())
                    .as("%s %s, %s", seed, id, found)
                    .containsExactlyInAnyOrderElementsOf(values.propertyNames());
            values.properties().forEach(each -> {
                var is = found.path(each.getKey());
                if (each.getKey().equals("mean")) {
                    // As many digits as PostgreSQL gives it.
                    assertThat(is.decimalValue()).isCloseTo(each.getValue().decimalValue(), Offset.offset(CLOSE));
                    each.setValue(is);
                }
                assertThat(RecordOracle.same(is, each.getValue()))
                        .as("%s %s: %s is %s, not %s", seed, id, each.getKey(), is, each.getValue())
                        .isTrue();
            });
        });
    }
}
