package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem.FieldError;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Changes the options of text attributes, and with them the values that records and saved queries hold. */
public final class OptionChanges {

    private static final int EVENT_BATCH = 1000;

    private final Db db;
    private final Clock clock;
    private final SchemaCatalog catalog;
    private final RecordEvents events;
    private final ComputedValues computed;
    private final SchemaStore schemas = new SchemaStore();
    private final SchemaChangeStore changes = new SchemaChangeStore();
    private final OptionStore store = new OptionStore();

    /** @param catalog the cache, which is invalidated by a change */
    public OptionChanges(Db db, Clock clock, SchemaCatalog catalog, RecordEvents events) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.events = events;
        this.computed = new ComputedValues(catalog);
    }

    /**
     * A change of the options of an attribute.
     *
     * @param options all of them, in their order; empty for any text
     * @param replacements what becomes of values, such as those of options that are renamed or removed; null for no value
     */
    public record Request(List<SelectOption> options, Map<String, @Nullable String> replacements) {

        public Request {
            options = List.copyOf(options);
            replacements = Collections.unmodifiableMap(new LinkedHashMap<>(replacements));
        }
    }

    /**
     * The outcome of a change.
     *
     * @param schema as it is now
     * @param changed how many records get another value
     * @param unlisted values that records have and that would be no options, with the number of their records
     */
    record Outcome(Schema schema, long changed, Map<String, Long> unlisted, List<FieldError> refused) {}

    /** Sets the options of an attribute; values of records follow in the same transaction. */
    public Schema change(ProjectAccess access, String schema, String attribute, Request request) {
        var outcome = db.inTransaction(tx -> change(tx, access, schema, attribute, request, false));
        catalog.invalidate(access.tables());
        return outcome.schema();
    }

    /** A dry run of {@link #change}. */
    Outcome preview(ProjectAccess access, String schema, String attribute, Request request) {
        return db.inTransaction(tx -> change(tx, access, schema, attribute, request, true));
    }

    /** The values that records have of an attribute, the commonest first, with the number of their records. */
    public Map<String, Long> counts(ProjectAccess access, Schema schema, SchemaAttribute attribute) {
        access.requireOwner();
        return db.read(reads -> store.counts(reads, access.tables(), schema.id(), attribute));
    }

    /** Adds those of {@code values} that are no options yet and can be, at the end, as far as there is room and the attribute is there. */
    public void add(Tx tx, ProjectAccess access, String schema, SchemaAttribute attribute, List<String> values) {
        var before = schemas.locked(tx, access, schema);
        before.attribute(attribute.id()).ifPresent(found -> {
            var after = adding(found, values);
            if (!after.equals(found)) {
                put(tx, access, before, after);
            }
        });
    }

    /** The schema as it would be if the texts of a record that are no options had been added. */
    public static Schema adding(Schema schema, JsonNode values) {
        var after = schema;
        for (var attribute : schema.attributes()) {
            var value = values.path(attribute.name());
            if (attribute.isSelect() && value.isString()) {
                var added = adding(attribute, List.of(value.stringValue()));
                after = added.equals(attribute) ? after : after.with(added);
            }
        }
        return after;
    }

    private static SchemaAttribute adding(SchemaAttribute attribute, List<String> values) {
        var all = new LinkedHashMap<String, SelectOption>();
        attribute.choices().forEach(each -> all.put(each.value(), each));
        int before = all.size();
        values.stream()
                .filter(each -> !all.containsKey(each))
                .map(each -> new SelectOption(each, null, null))
                .filter(each ->
                        faults(attribute, new Request(List.of(each), Map.of())).isEmpty())
                .limit(Math.max(0, SelectOption.MAX_OPTIONS - before))
                .toList()
                .forEach(each -> all.put(each.value(), each));
        return attribute.isSelect() && all.size() > before
                ? attribute.choosing(List.copyOf(all.values()), attribute.initial())
                : attribute;
    }

    private Outcome change(Tx tx, ProjectAccess access, String called, String named, Request request, boolean preview) {
        access.requireOwner();
        var tables = access.tables();
        var present = schemas.find(tx, tables, called).orElseThrow(() -> RecordsProblem.noSchema(called));
        if (!preview && !effective(request).isEmpty()) {
            // Asked before the locks as well: a batch of that change holds them for a while.
            requireUnconverted(present, found(present, named));
        }
        var schema = preview ? present : schemas.locked(tx, access, called);
        var before = found(schema, named);
        if (schema.isComputed(before)) {
            throw RecordsProblem.invalid("options", Text.of("records.computed.unconstrained"));
        }
        require(faults(before, request));
        var replacements = effective(request);
        var refused = new ArrayList<FieldError>();
        var initial = initial(before, request, refused);
        var unlisted = request.options().isEmpty()
                ? Map.<String, Long>of()
                : store.unlisted(tx, tables, schema.id(), before, values(request), replacements.keySet());
        if (!unlisted.isEmpty()) {
            refused.add(new FieldError("options", used(unlisted)));
        }
        if (preview) {
            long changed = store.count(tx, tables, schema.id(), before, replacements.keySet());
            return new Outcome(schema, changed, unlisted, refused);
        }
        if (!refused.isEmpty()) {
            throw RecordsProblem.cannotEvolve(refused);
        }
        var rows = replace(tx, access, schema, before, replacements);
        put(tx, access, schema, before.choosing(request.options(), initial));
        return new Outcome(schemas.find(tx, tables, schema.id()).orElseThrow(), rows.size(), unlisted, refused);
    }

    private void put(Tx tx, ProjectAccess access, Schema schema, SchemaAttribute after) {
        schemas.putAttributes(tx, access.tables(), schema.id(), List.of(after));
        schemas.incrementVersion(tx, access.tables(), schema.id());
    }

    /** Values that were converted already would stay those of the options of before. */
    private static void requireUnconverted(Schema schema, SchemaAttribute attribute) {
        if (schema.conversions().stream()
                .anyMatch(each -> each.doneAt() == null && each.from().id() == attribute.id())) {
            throw RecordsProblem.retypeRunning();
        }
    }

    private List<RecordRow> replace(
            Tx tx,
            ProjectAccess access,
            Schema schema,
            SchemaAttribute attribute,
            Map<String, @Nullable String> replacements) {
        if (replacements.isEmpty()) {
            return List.of();
        }
        requireUnconverted(schema, attribute);
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var rows = store.replace(tx, access, schema, attribute, replacements, now);
        for (int from = 0; from < rows.size(); from += EVENT_BATCH) {
            var batch = rows.subList(from, Math.min(rows.size(), from + EVENT_BATCH));
            events.append(tx, access, schema, RecordEvents.CHANGED, batch);
        }
        if (schema.rules().compare(attribute.name())) {
            if (replacements.containsValue(null)) {
                throw RecordsProblem.attributeInRules(attribute.name());
            }
            schemas.putRules(tx, access.tables(), schema.id(), schema.rules().revalued(attribute.name(), replacements));
        }
        computed.queueAll(tx, access.tables(), schema, attribute);
        var all = schemas.all(tx, access.tables()).stream().collect(Collectors.toMap(Schema::id, each -> each));
        for (var saved : changes.savedQueries(tx, access.tables())) {
            var about = all.get(saved.schema());
            if (about != null) {
                var query = SavedQueryNames.revalued(
                        saved.query(),
                        path -> SavedQueryNames.leadsTo(about, path, schema.id(), attribute),
                        replacements);
                if (!query.equals(saved.query())) {
                    changes.putSavedQuery(tx, new SchemaChangeStore.Saved(saved.id(), saved.schema(), query));
                }
            }
        }
        for (var view : changes.views(tx, access.tables())) {
            var about = all.get(view.schema());
            if (about != null) {
                var definition = SavedQueryNames.revalued(
                        view.query(),
                        path -> SavedQueryNames.leadsTo(about, path, schema.id(), attribute),
                        replacements);
                if (!definition.equals(view.query())) {
                    changes.putView(tx, new SchemaChangeStore.Saved(view.id(), view.schema(), definition));
                }
            }
        }
        return rows;
    }

    private static List<FieldError> faults(SchemaAttribute attribute, Request request) {
        var faults = new ArrayList<>(SelectOption.faults("options", attribute, request.options()));
        if (!faults.isEmpty()) {
            return faults;
        }
        if (attribute.isMultiSelect() && request.options().isEmpty()) {
            return List.of(new FieldError("options", Text.of("records.field.options-needed")));
        }
        var plain = attribute.with(null, List.of());
        for (int i = 0; i < request.options().size() && !attribute.isMultiSelect(); i++) {
            var value = request.options().get(i).value();
            try {
                Constraints.stored(plain, JsonNodeFactory.instance.stringNode(value));
            } catch (InvalidValueException e) {
                faults.add(new FieldError("options[%d].value".formatted(i), e.reason()));
            }
        }
        if (attribute.unique() && !effective(request).isEmpty()) {
            // Two records could get the same value.
            faults.add(new FieldError("replacements", Text.of("records.field.options-unique")));
        }
        var values = values(request);
        request.replacements().forEach((from, to) -> {
            if (to == null && attribute.required()) {
                faults.add(new FieldError("replacements", Text.of("records.field.options-required", "value", from)));
            } else if (to != null && !values.contains(to)) {
                faults.add(new FieldError("replacements", Text.of("records.field.options-target", "value", to)));
            }
        });
        return faults;
    }

    private static void require(List<FieldError> faults) {
        if (!faults.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.options-invalid"), faults);
        }
    }

    private static Map<String, @Nullable String> effective(Request request) {
        var effective = new LinkedHashMap<String, @Nullable String>();
        request.replacements().forEach((from, to) -> {
            if (!from.equals(to)) {
                effective.put(from, to);
            }
        });
        return effective;
    }

    private static Set<String> values(Request request) {
        return request.options().stream().map(SelectOption::value).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static @Nullable JsonNode initial(SchemaAttribute attribute, Request request, List<FieldError> refused) {
        var initial = attribute.initial();
        if (initial == null) {
            return null;
        }
        if (attribute.isMultiSelect()) {
            return initials(initial, request, refused);
        }
        var value = initial.stringValue();
        if (request.replacements().containsKey(value)) {
            var to = request.replacements().get(value);
            return to == null ? null : JsonNodeFactory.instance.stringNode(to);
        }
        if (!request.options().isEmpty() && !values(request).contains(value)) {
            refused.add(new FieldError("options", Text.of("records.change.options-default", "value", value)));
        }
        return initial;
    }

    /** The default of lists, without what is replaced by nothing. */
    private static @Nullable JsonNode initials(JsonNode initial, Request request, List<FieldError> refused) {
        var values = new LinkedHashSet<String>();
        for (var each : initial) {
            var value = each.stringValue();
            var after = request.replacements().containsKey(value)
                    ? request.replacements().get(value)
                    : value;
            if (after != null) {
                values.add(after);
                if (!values(request).contains(after)) {
                    refused.add(new FieldError("options", Text.of("records.change.options-default", "value", after)));
                }
            }
        }
        var list = JsonNodeFactory.instance.arrayNode();
        values.forEach(list::add);
        return list.isEmpty() ? null : list;
    }

    private static Text used(Map<String, Long> unlisted) {
        return Text.of(
                "records.change.options-used",
                "count",
                unlisted.values().stream().mapToLong(Long::longValue).sum(),
                "values",
                unlisted.keySet().stream().limit(10).collect(Collectors.joining(", ")));
    }

    private static SchemaAttribute found(Schema schema, String named) {
        return schema.attribute(named).orElseThrow(() -> RecordsProblem.noAttribute(named));
    }
}
