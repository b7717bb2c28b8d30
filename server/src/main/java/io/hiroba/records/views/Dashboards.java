package io.hiroba.records.views;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.ValueType;
import io.hiroba.records.query.Aggregates;
import io.hiroba.records.query.ConditionParser;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Dashboards of projects. Editors make them, members see each panel by their own rules. */
public final class Dashboards {

    /** The most dashboards of a project. */
    public static final int MAX_DASHBOARDS = 50;

    /** The most panels of a dashboard: each is a query. */
    public static final int MAX_PANELS = 20;

    private static final int MAX_NAME_LENGTH = 100;

    private final Db db;
    private final Clock clock;
    private final IdGenerator ids;
    private final SchemaCatalog catalog;
    private final DashboardStore store = new DashboardStore();

    Dashboards(Db db, Clock clock, IdGenerator ids, SchemaCatalog catalog) {
        this.db = db;
        this.clock = clock;
        this.ids = ids;
        this.catalog = catalog;
    }

    /** The dashboards of the project, the oldest first. */
    public List<Dashboard> list(ProjectAccess access, long after, int limit) {
        return db.read(reads -> store.list(reads, access.project().id(), after, limit));
    }

    public Dashboard get(ProjectAccess access, DashboardId id) {
        return db.read(reads -> store.find(reads, access.project().id(), id)).orElseThrow(ViewProblem::noDashboard);
    }

    /** Keeps a dashboard in the caller's transaction. */
    public Dashboard create(Tx tx, ProjectAccess access, Dashboard.Draft draft) {
        access.requireEditor();
        var checked = checked(access, draft, List.of(), name -> catalog.current(tx, access.tables(), name));
        store.lockCreation(tx, access.project().id());
        if (store.count(tx, access.project().id()) >= MAX_DASHBOARDS) {
            throw ViewProblem.tooManyDashboards(MAX_DASHBOARDS);
        }
        var dashboard = new Dashboard(
                new DashboardId(ids.next()),
                access.project().id(),
                access.user(),
                checked.name(),
                checked.panels(),
                1,
                now());
        store.insert(tx, dashboard);
        return dashboard;
    }

    /** The same in a transaction of its own. */
    public Dashboard create(ProjectAccess access, Dashboard.Draft draft) {
        return db.inTransaction(tx -> create(tx, access, draft));
    }

    /**
     * Changes a dashboard.
     *
     * @param before as the draft was made of it; if it is another by now, nothing is changed
     */
    public Dashboard change(ProjectAccess access, Dashboard before, Dashboard.Draft draft) {
        access.requireEditor();
        // A panel that was there stays as it is, also if it shows what this editor may not see.
        var checked = checked(access, draft, before.panels(), name -> catalog.refreshed(access.tables(), name));
        return db.inTransaction(tx -> {
            var changed = locked(tx, access, before.id(), before.version()).changed(checked, now());
            store.update(tx, changed);
            return changed;
        });
    }

    /**
     * Deletes a dashboard.
     *
     * @param expected the version that the caller knows; null for any
     */
    public void delete(ProjectAccess access, DashboardId id, @Nullable Integer expected) {
        access.requireEditor();
        db.useTransaction(tx -> {
            locked(tx, access, id, expected);
            store.delete(tx, id);
        });
    }

    private Dashboard locked(Tx tx, ProjectAccess access, DashboardId id, @Nullable Integer expected) {
        var locked = store.lock(tx, access.project().id(), id).orElseThrow(ViewProblem::noDashboard);
        if (expected != null && locked.version() != expected) {
            throw RecordsProblem.otherVersion(locked.version());
        }
        return locked;
    }

    private Dashboard.Draft checked(
            ProjectAccess access,
            Dashboard.Draft draft,
            List<Dashboard.Panel> known,
            Function<String, Schema> schemas) {
        var errors = new ArrayList<FieldError>();
        var name = draft.name().strip();
        if (name.isEmpty() || name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
            errors.add(new FieldError("name", Text.of("records.field.name-length")));
        }
        if (draft.panels().size() > MAX_PANELS) {
            errors.add(new FieldError("panels", Text.of("records.field.most", "max", MAX_PANELS)));
        }
        var panels = new ArrayList<Dashboard.Panel>();
        for (int i = 0; errors.isEmpty() && i < draft.panels().size(); i++) {
            var given = draft.panels().get(i);
            panels.add(
                    isKnown(given, known)
                            ? given
                            : checked(access, given, schemas, "panels[%d].".formatted(i), errors));
        }
        if (!errors.isEmpty()) {
            throw RecordsProblem.invalid(Text.of("records.problem.dashboard-invalid"), errors);
        }
        return new Dashboard.Draft(name, panels);
    }

    private static boolean isKnown(Dashboard.Panel given, List<Dashboard.Panel> known) {
        return known.stream().anyMatch(each -> each.with(null, false).equals(given.with(null, false)));
    }

    /** The panel with ids; what is wrong with it is added to {@code errors}. */
    private Dashboard.Panel checked(
            ProjectAccess access,
            Dashboard.Panel given,
            Function<String, Schema> schemas,
            String at,
            List<FieldError> errors) {
        var title = given.title();
        if (title != null && title.codePointCount(0, title.length()) > MAX_NAME_LENGTH) {
            errors.add(new FieldError(at + "title", Text.of("records.field.name-length")));
        }
        var schema = schema(schemas, given.schema());
        if (schema.isEmpty()) {
            errors.add(new FieldError(at + "schema", Text.of("records.field.no-schema", "name", given.schema())));
            return given;
        }
        var attributes = new ViewAttributes(access, schema.get(), catalog);
        var measured = attribute(attributes, given.measure().attr(), at + "measure.attr", errors);
        var function = function(given.measure().fn());
        if (function.isEmpty()) {
            errors.add(new FieldError(
                    at + "measure.fn", Text.of("http.field.one-of", "values", "count, sum, avg, min, max")));
        } else if ((function.get() != Aggregates.Function.COUNT
                        && given.measure().attr() == null)
                || (measured != null && measured.type() != ValueType.NUMERIC)) {
            errors.add(new FieldError(at + "measure.attr", Text.of("records.field.number-attribute")));
        }
        var grouping = grouping(attributes, given.groupBy(), at, errors);
        try {
            ConditionParser.condition(given.where());
            for (var path : ViewAttributes.paths(given.where())) {
                if (attributes.ids(path).isEmpty()) {
                    errors.add(new FieldError(at + "where", Text.of("records.field.names-no-attribute", "name", path)));
                }
            }
            ViewAttributes.tests(given.where()).forEach(attributes::requireSuits);
        } catch (Problem wrong) {
            errors.add(new FieldError(
                    at + "where",
                    wrong.fields().isEmpty()
                            ? wrong.detail()
                            : wrong.fields().getFirst().message()));
        }
        return new Dashboard.Panel(
                title,
                String.valueOf(schema.get().id()),
                new Dashboard.Measure(given.measure().fn(), measured == null ? null : String.valueOf(measured.id())),
                grouping,
                ViewNames.renamed(given.where(), path -> attributes.ids(path).orElse(path)),
                given.isWide() ? true : null);
    }

    private static Dashboard.@Nullable Grouping grouping(
            ViewAttributes attributes, Dashboard.@Nullable Grouping given, String at, List<FieldError> errors) {
        if (given == null) {
            return null;
        }
        var by = attribute(attributes, given.attr(), at + "groupBy.attr", errors);
        if (by == null) {
            return given;
        }
        boolean bins = Boolean.TRUE.equals(given.bins());
        if (!by.type().isOrdered()) {
            errors.add(new FieldError(at + "groupBy.attr", Text.of("records.field.view-type", "attribute", by.name())));
        }
        if (given.unit() != null && (unit(given.unit()).isEmpty() || !by.type().isTime())) {
            errors.add(new FieldError(
                    at + "groupBy.unit", Text.of("http.field.one-of", "values", "day, week, month, year")));
        }
        if (bins && by.type() != ValueType.NUMERIC) {
            errors.add(new FieldError(at + "groupBy.bins", Text.of("records.field.number-attribute")));
        }
        return new Dashboard.Grouping(String.valueOf(by.id()), given.unit(), bins ? true : null);
    }

    private static @Nullable SchemaAttribute attribute(
            ViewAttributes attributes, @Nullable String name, String field, List<FieldError> errors) {
        var found = attributes.find(name);
        if (name != null && found.isEmpty()) {
            errors.add(new FieldError(field, Text.of("records.field.names-no-attribute", "name", name)));
        }
        return found.orElse(null);
    }

    private static Optional<Schema> schema(Function<String, Schema> schemas, String name) {
        try {
            return Optional.of(schemas.apply(name));
        } catch (RecordsProblem _) {
            return Optional.empty();
        }
    }

    /** The panel as the caller sees it; empty if something of it is not theirs to see, is gone, or does not suit any more. */
    public Optional<ResolvedPanel> resolved(ProjectAccess access, Dashboard.Panel panel) {
        var schema = schema(name -> catalog.refreshed(access.tables(), name), panel.schema())
                .orElse(null);
        if (schema == null) {
            return Optional.empty();
        }
        var attributes = new ViewAttributes(access, schema, catalog);
        var measured = attributes.find(panel.measure().attr());
        var function = function(panel.measure().fn()).orElse(Aggregates.Function.COUNT);
        var grouping = panel.groupBy();
        var by = grouping == null ? Optional.<SchemaAttribute>empty() : attributes.find(grouping.attr());
        // A condition that is left out would make another figure of it.
        boolean whole = ViewAttributes.tests(panel.where()).stream().allMatch(attributes::holds)
                && (panel.measure().attr() == null
                        || measured.filter(each -> each.type() == ValueType.NUMERIC)
                                .isPresent())
                && (grouping == null || by.filter(each -> suits(grouping, each)).isPresent());
        return whole
                ? Optional.of(new ResolvedPanel(
                        attributes.recordAccess(),
                        new Aggregates.Measure(
                                function, measured.map(SchemaAttribute::name).orElse(null)),
                        by.orElse(null),
                        grouping == null || grouping.unit() == null
                                ? null
                                : unit(grouping.unit()).orElse(null),
                        grouping != null && Boolean.TRUE.equals(grouping.bins()),
                        ViewNames.renamed(
                                panel.where(), path -> attributes.names(path).orElse(path))))
                : Optional.empty();
    }

    private static boolean suits(Dashboard.Grouping grouping, SchemaAttribute by) {
        return by.type().isOrdered()
                && (grouping.unit() == null || by.type().isTime())
                && (!Boolean.TRUE.equals(grouping.bins()) || by.type() == ValueType.NUMERIC);
    }

    private static Optional<Aggregates.Function> function(String named) {
        return Stream.of(Aggregates.Function.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(named))
                .findFirst();
    }

    private static Optional<Aggregates.Unit> unit(String named) {
        return Stream.of(Aggregates.Unit.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(named))
                .findFirst();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
