package io.hiroba.records;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.i18n.TextDirection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.NullNode;

/** Changes schemas and attributes that have records: their names and titles, and what values must be. */
public final class SchemaChanges {

    /** The event of a schema that got another name; it comes after all events about its records under the old one. */
    public static final String RENAMED = "schema-renamed";

    /** How long a former name leads to what had it. */
    static final Duration FORMER_FOR = Duration.ofDays(30);

    private final Db db;
    private final Clock clock;
    private final SchemaCatalog catalog;
    private final EventLog events;
    private final SchemaStore schemas = new SchemaStore();
    private final SchemaChangeStore store = new SchemaChangeStore();

    /** @param catalog the cache, which is invalidated by a change */
    public SchemaChanges(Db db, Clock clock, SchemaCatalog catalog, EventLog events) {
        this.db = db;
        this.clock = clock;
        this.catalog = catalog;
        this.events = events;
    }

    /**
     * The outcome of a change.
     *
     * @param schema as it is now
     * @param changes in words
     * @param findings the records that are in the way
     */
    record Outcome(Schema schema, List<Text> changes, ConstraintChange.Findings findings) {

        Outcome {
            changes = List.copyOf(changes);
        }

        Outcome with(ConstraintChange.Findings found) {
            return new Outcome(schema, changes, found);
        }
    }

    /** Changes the name or title of a schema. */
    public Schema change(ProjectAccess access, String schema, AttributeChange change) {
        var outcome = db.inTransaction(tx -> change(tx, access, schema, change, false));
        catalog.invalidate(access.tables());
        return outcome.schema();
    }

    /** A dry run of {@link #change(ProjectAccess, String, AttributeChange)}. */
    Outcome preview(ProjectAccess access, String schema, AttributeChange change) {
        return db.inTransaction(tx -> change(tx, access, schema, change, true));
    }

    /** Changes an attribute. */
    public Schema change(ProjectAccess access, String schema, String attribute, AttributeChange change) {
        var outcome = db.inTransaction(tx -> change(tx, access, schema, attribute, change, false));
        catalog.invalidate(access.tables());
        return outcome.schema();
    }

    /** A dry run of {@link #change(ProjectAccess, String, String, AttributeChange)}. */
    Outcome preview(ProjectAccess access, String schema, String attribute, AttributeChange change) {
        return db.inTransaction(tx -> change(tx, access, schema, attribute, change, true));
    }

    private Outcome change(Tx tx, ProjectAccess access, String called, AttributeChange change, boolean preview) {
        var schema = found(tx, access, called, preview);
        var tables = access.tables();
        var changes = new ArrayList<Text>();
        var title = title(change.title());
        if (title != null && !title.equals(Objects.requireNonNullElse(schema.title(), ""))) {
            changes.add(Text.of("records.change.title", "title", title));
            if (!preview) {
                store.setTitle(tx, tables, schema.id(), title);
            }
        }
        var name = name(change.name());
        if (name != null && !name.equals(schema.name())) {
            changes.add(Text.of("records.change.renamed", "before", schema.name(), "after", name));
            var had = formerlyNamed(tx, tables, schema, name, change.reuse());
            if (!preview) {
                had.ifPresent(other -> takeOver(tx, tables, other, name));
                rename(tx, access, schema, name);
            }
        }
        return outcome(tx, tables, schema.id(), changes, preview);
    }

    /** The other schema whose former name it is. */
    private Optional<Short> formerlyNamed(Tx tx, ProjectTables tables, Schema schema, String name, boolean reuse) {
        var had = store.formerlyNamed(tx, tables, name).filter(id -> id != schema.id());
        if (had.isPresent() && !reuse) {
            throw RecordsProblem.nameKept(name);
        }
        var taken = schemas.taken(tx, tables, schema.id(), List.of(name));
        if (had.isEmpty() && !taken.isEmpty()) {
            throw RecordsProblem.nameTaken(taken);
        }
        return had;
    }

    private void takeOver(Tx tx, ProjectTables tables, short other, String name) {
        store.dropSchemaName(tx, tables, other, name);
        // Whoever has cached where the name leads notices it by the version.
        schemas.incrementVersion(tx, tables, other);
    }

    private void rename(Tx tx, ProjectAccess access, Schema schema, String name) {
        var tables = access.tables();
        store.dropSchemaName(tx, tables, schema.id(), name);
        store.keepName(tx, tables, schema.id(), former(schema.name(), null));
        schemas.putNames(
                tx,
                tables,
                schema.id(),
                name,
                schema.aliases().stream().filter(alias -> !alias.equals(name)).toList());
        store.renameImports(tx, tables, schema, name);
        store.renameSavedQueries(tx, tables, schema.id(), schema.name(), name);
        events.append(
                tx,
                NewEvent.of(access.project().id().value(), RENAMED)
                        .with("projectId", access.project().id().hex())
                        .with("from", schema.name())
                        .with("schema", name));
    }

    private Outcome change(
            Tx tx, ProjectAccess access, String called, String named, AttributeChange change, boolean preview) {
        return change(tx, access.tables(), found(tx, access, called, preview), named, change, preview);
    }

    /**
     * Gives up what is no longer asked of values before they are converted to another type, and refuses other names that cannot be given
     * then. The schema is locked.
     */
    Schema relaxed(Tx tx, ProjectTables tables, Schema schema, String attribute, @Nullable AttributeChange more) {
        if (more == null) {
            return schema;
        }
        change(tx, tables, schema, attribute, more.ofNames(), true);
        var before = schema.attribute(SchemaNames.normalized(attribute))
                .orElseThrow(() -> RecordsProblem.noAttribute(attribute));
        var relaxed = more.relaxed(before);
        var initial = relaxed.initial() == null && before.initial() != null ? NullNode.getInstance() : null;
        return change(
                        tx,
                        tables,
                        schema,
                        attribute,
                        AttributeChange.ofConstraints(relaxed.required(), relaxed.unique(), initial),
                        false)
                .schema();
    }

    /** Changes the rest of an attribute whose values were converted to another type. The schema is locked. */
    void complete(Tx tx, ProjectTables tables, short schema, short attribute, AttributeChange more) {
        change(tx, tables, schemas.find(tx, tables, schema).orElseThrow(), String.valueOf(attribute), more, false);
    }

    private Outcome change(
            Tx tx, ProjectTables tables, Schema schema, String named, AttributeChange change, boolean preview) {
        var before =
                schema.attribute(SchemaNames.normalized(named)).orElseThrow(() -> RecordsProblem.noAttribute(named));
        var changes = new ArrayList<Text>();
        var after = before;
        var title = title(change.title());
        if (title != null && !title.equals(Objects.requireNonNullElse(before.title(), ""))) {
            after = after.titled(title.isEmpty() ? null : title);
            changes.add(Text.of("records.change.title", "title", title));
        }
        var name = name(change.name());
        if (name != null && !name.equals(before.name())) {
            requireFree(schema, before, name, change.reuse());
            after = after.named(name);
            changes.add(Text.of("records.change.renamed", "before", before.name(), "after", name));
        }
        if (schema.isComputed(before) && change.constrains()) {
            throw RecordsProblem.invalid("computed", Text.of("records.computed.unconstrained"));
        }
        var constraints = ConstraintChange.of(after, change);
        changes.addAll(constraints.changes());
        var findings = constraints.findings(tx, tables, schema.id());
        if (!changes.isEmpty() && !preview) {
            if (!findings.refused().isEmpty()) {
                throw RecordsProblem.cannotEvolve(findings.refused());
            }
            schemas.putAttributes(tx, tables, schema.id(), List.of(constraints.after()));
            constraints.enforce(tx, tables, schema.id());
            if (!after.name().equals(before.name())) {
                renamed(tx, tables, schema, before, after.name());
            }
        }
        return outcome(tx, tables, schema.id(), changes, preview).with(findings);
    }

    private static void requireFree(Schema schema, SchemaAttribute attribute, String name, boolean reuse) {
        if (schema.attributes().stream().anyMatch(other -> other.name().equals(name))) {
            throw RecordsProblem.attributeTaken(name);
        }
        boolean kept = schema.former().stream()
                .anyMatch(former -> former.name().equals(name)
                        && former.attribute() != null
                        && former.attribute() != attribute.id());
        if (kept && !reuse) {
            throw RecordsProblem.nameKept(name);
        }
    }

    /** Has everything that holds the name of the attribute hold the new one. */
    private void renamed(Tx tx, ProjectTables tables, Schema schema, SchemaAttribute before, String name) {
        store.dropAttributeName(tx, tables, schema.id(), name);
        // Another attribute may have had the name before, and was removed when this one got it.
        store.dropAttributeName(tx, tables, schema.id(), before.name());
        store.keepName(tx, tables, schema.id(), former(before.name(), before.id()));
        schemas.putRules(
                tx, tables, schema.id(), schema.rules().named(each -> each.equals(before.name()) ? name : each));
        var all = schemas.all(tx, tables).stream().collect(Collectors.toMap(Schema::id, each -> each));
        for (var saved : store.savedQueries(tx, tables)) {
            var about = all.get(saved.schema());
            if (about == null) {
                continue;
            }
            var query = SavedQueryNames.renamed(saved.query(), path -> path(about, schema.id(), path, before, name));
            if (!query.equals(saved.query())) {
                store.putSavedQuery(tx, new SchemaChangeStore.Saved(saved.id(), saved.schema(), query));
            }
        }
    }

    /** The path after a rename in {@code changed}: the attribute itself, or behind a reference to its schema. */
    private static String path(Schema about, short changed, String path, SchemaAttribute before, String name) {
        int point = path.indexOf('.');
        var head = point < 0 ? path : path.substring(0, point);
        var tail = point < 0 ? "" : path.substring(point + 1);
        // The attribute has its new name here already, if it is the one.
        var reference = about.attributes().stream()
                .filter(each -> each.name().equals(head)
                        || (about.id() == changed
                                && each.id() == before.id()
                                && before.name().equals(head)))
                .findFirst();
        var newHead = about.id() == changed && head.equals(before.name()) ? name : head;
        if (point < 0) {
            return newHead;
        }
        boolean leadsThere = reference
                .map(SchemaAttribute::references)
                .filter(target -> target == changed)
                .isPresent();
        return newHead + "." + (leadsThere && tail.equals(before.name()) ? name : tail);
    }

    private Outcome outcome(Tx tx, ProjectTables tables, short schema, List<Text> changes, boolean preview) {
        if (!changes.isEmpty() && !preview) {
            schemas.incrementVersion(tx, tables, schema);
        }
        return new Outcome(schemas.find(tx, tables, schema).orElseThrow(), changes, ConstraintChange.Findings.NONE);
    }

    /** Gives up former names whose time is over. */
    public void sweep(Projects projects) {
        for (var id : db.read(reads -> store.withExpiredNames(reads, clock.instant()))) {
            db.useTransaction(tx -> projects.find(tx, id).ifPresent(project -> {
                schemas.lockNames(tx, project.tables());
                store.dropExpiredNames(tx, project.tables(), clock.instant())
                        .forEach(schema -> schemas.incrementVersion(tx, project.tables(), schema));
            }));
        }
    }

    /** The schema, locked against writers of its records unless it is for a preview. */
    private Schema found(Tx tx, ProjectAccess access, String called, boolean preview) {
        access.requireOwner();
        return preview
                ? schemas.find(tx, access.tables(), called).orElseThrow(() -> RecordsProblem.noSchema(called))
                : schemas.locked(tx, access, called);
    }

    private Schema.Former former(String name, @Nullable Short attribute) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        return new Schema.Former(name, attribute, now, now.plus(FORMER_FOR));
    }

    private static @Nullable String name(@Nullable String given) {
        return given == null ? null : validName(given);
    }

    static String validName(String given) {
        var name = SchemaNames.normalized(given);
        if (!SchemaNames.isValid(name)) {
            throw RecordsProblem.invalid("name", Text.of("records.field.name"));
        }
        return name;
    }

    /** The title, stripped; empty for none. */
    private static @Nullable String title(@Nullable String given) {
        if (given == null) {
            return null;
        }
        var title = SchemaNames.normalized(given).strip();
        if (title.codePointCount(0, title.length()) > SchemaNames.MAX_TITLE_LENGTH
                || title.codePoints()
                        .anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
            throw RecordsProblem.invalid("title", Text.of("records.field.title"));
        }
        if (TextDirection.isSet(title)) {
            throw RecordsProblem.invalid("title", Text.of("http.field.direction"));
        }
        return title;
    }
}
