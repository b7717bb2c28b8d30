package io.hiroba.records.views;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectTemplate;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SchemaCatalog;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.RecordQuery;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Views that members keep. Readers keep private ones, editors those of all; nobody sees a private one of another. */
public final class Views {

    /** The most views of all that a schema has, and the most of one member's own. */
    public static final int MAX_VIEWS = 100;

    private static final int MAX_NAME_LENGTH = 100;

    private final Db db;
    private final Clock clock;
    private final IdGenerator ids;
    private final Projects projects;
    private final SchemaCatalog catalog;
    private final Queries queries;
    private final ViewStore store = new ViewStore();
    private final ViewLinkStore links = new ViewLinkStore();

    Views(Db db, Clock clock, IdGenerator ids, Projects projects, SchemaCatalog catalog, Queries queries) {
        this.db = db;
        this.clock = clock;
        this.ids = ids;
        this.projects = projects;
        this.catalog = catalog;
        this.queries = queries;
    }

    /** The schema that views are about. */
    public Schema schema(ProjectAccess access, String name) {
        return catalog.refreshed(access.tables(), name);
    }

    /** The views that the caller sees, the oldest first. */
    public List<ViewRow> list(ProjectAccess access, Schema schema, long after, int limit) {
        return db.read(reads -> store.list(reads, access.project().id(), schema.id(), access.user(), after, limit));
    }

    public ViewRow get(ProjectAccess access, Schema schema, ViewId id) {
        return db.read(reads -> store.find(reads, access.project().id(), schema.id(), access.user(), id))
                .orElseThrow(ViewProblem::none);
    }

    /** The same without an answer for one that is not there. */
    Optional<ViewRow> find(Reads reads, ProjectAccess access, short schema, ViewId id) {
        return store.find(reads, access.project().id(), schema, access.user(), id);
    }

    /** Locks a view that the caller sees until {@code tx} ends, and names the columns that it shows without naming them. */
    void nameColumns(Tx tx, ProjectAccess access, Schema schema, ViewId id) {
        var view = locked(tx, access, id, null);
        var resolved = resolved(access, schema, view);
        var columns = new ArrayList<>(view.definition().columnList());
        var named = columns.stream().map(ViewDefinition.Column::attribute).collect(Collectors.toSet());
        resolved.columns().stream()
                .map(each -> String.valueOf(each.attribute().id()))
                .filter(each -> !named.contains(each))
                .forEach(each -> columns.add(new ViewDefinition.Column(each, false, null, null)));
        if (columns.size() > named.size()) {
            var definition = view.definition();
            store.update(tx, view.with(definition.with(definition.filter(), definition.sort(), columns), now()));
        }
    }

    /** Whether the caller sees all that the filter compares, and all of it makes sense. */
    public boolean isFilterWhole(ProjectAccess access, Schema schema, ViewRow view) {
        var attributes = new ViewAttributes(access, schema, catalog);
        return ViewAttributes.tests(view.definition().filter()).stream().allMatch(attributes::holds);
    }

    /** The view as the caller sees it. */
    public ResolvedView resolved(ProjectAccess access, Schema schema, ViewRow view) {
        var attributes = new ViewAttributes(access, schema, catalog);
        var gone = new LinkedHashSet<String>();
        var filter = ViewAttributes.pruned(view.definition().filter(), test -> {
            boolean holds = attributes.holds(test);
            if (!holds) {
                gone.add(ViewAttributes.path(test));
            }
            return holds;
        });
        var sort = view.definition().sort();
        var keys = new ArrayList<ViewDefinition.SortKey>();
        for (var key : sort == null ? List.<ViewDefinition.SortKey>of() : sort) {
            attributes
                    .names(key.attr())
                    .filter(name -> ViewCheck.isFit(attributes.find(name), ViewCheck::isOrdered))
                    .ifPresentOrElse(
                            name -> keys.add(new ViewDefinition.SortKey(name, key.dir(), key.nulls())),
                            () -> gone.add(key.attr()));
        }
        var named = ViewNames.renamed(filter, path -> attributes.names(path).orElse(path));
        var definition = ViewCheck.fit(attributes, view.definition(), gone)
                .with(named, keys, view.definition().columns());
        var columns = columns(attributes, view.definition(), gone);
        ViewNames.others(view.definition()).stream()
                .filter(each -> attributes.find(each).isEmpty())
                .forEach(gone::add);
        var parts = parts(access, attributes, view.definition().filter());
        return new ResolvedView(view, attributes.recordAccess(), definition, columns, parts, gone);
    }

    private static ResolvedView.Parts parts(
            ProjectAccess access, ViewAttributes attributes, @Nullable JsonNode filter) {
        var seen = new ArrayList<JsonNode>();
        var unseen = new ArrayList<JsonNode>();
        for (var part : ViewAttributes.parts(filter)) {
            boolean isWhole = ViewAttributes.tests(part).stream().allMatch(attributes::holds);
            if (!isWhole && !access.isOwner()) {
                unseen.add(part);
                continue;
            }
            var rest = ViewNames.renamed(
                    ViewAttributes.pruned(part, attributes::holds),
                    path -> attributes.names(path).orElse(path));
            if (rest != null) {
                seen.add(rest);
            }
        }
        return new ResolvedView.Parts(seen, unseen);
    }

    private static List<ResolvedView.ShownColumn> columns(
            ViewAttributes attributes, ViewDefinition definition, Set<String> gone) {
        var columns = new ArrayList<ResolvedView.ShownColumn>();
        var named = new LinkedHashSet<SchemaAttribute>();
        for (var column : definition.columnList()) {
            attributes
                    .find(column.attribute())
                    .filter(named::add)
                    .ifPresentOrElse(
                            each -> columns.add(new ResolvedView.ShownColumn(
                                    each,
                                    Boolean.TRUE.equals(column.hidden()),
                                    column.width(),
                                    Boolean.TRUE.equals(column.frozen()))),
                            () -> gone.add(column.attribute()));
        }
        attributes.recordAccess().shown().stream()
                .filter(each -> !named.contains(each))
                .forEach(each -> columns.add(new ResolvedView.ShownColumn(each, false, null, false)));
        return columns;
    }

    /** The view that {@code draft} would be; it is validated and run once, on a connection of its own. */
    public ViewDraft check(ProjectAccess access, Schema schema, ViewDraft draft, @Nullable ViewRow before) {
        requireRole(access, draft.shared());
        var name = draft.name().strip();
        if (name.isEmpty() || name.codePointCount(0, name.length()) > MAX_NAME_LENGTH) {
            throw RecordsProblem.invalid("name", Text.of("records.field.name-length"));
        }
        var attributes = new ViewAttributes(access, schema, catalog);
        var known = before == null ? Set.<String>of() : ViewNames.all(before.definition());
        var checked = draft.with(new ViewCheck(attributes, known).checked(draft.kind(), draft.definition()));
        var now = Instant.EPOCH;
        var tried = new ViewRow(
                new ViewId(0),
                access.project().id(),
                schema.id(),
                access.user(),
                draft.shared(),
                name,
                checked.kind(),
                checked.definition(),
                0,
                now);
        RecordQuery query = resolved(access, schema, tried).query().limit(1);
        queries.page(access.caller(), access.project().id(), query);
        return checked;
    }

    /** Keeps a checked view in the caller's transaction. */
    public ViewRow create(Tx tx, ProjectAccess access, Schema schema, ViewDraft checked) {
        // The names that were resolved to ids hold until the transaction ends.
        var definition = current(catalog.current(tx, access.tables(), schema.id()), schema, checked.definition());
        requireMember(tx, access, checked.shared());
        requireRoom(tx, access, schema, checked.shared());
        var view = new ViewRow(
                new ViewId(ids.next()),
                access.project().id(),
                schema.id(),
                access.user(),
                checked.shared(),
                checked.name(),
                checked.kind(),
                definition,
                1,
                now());
        store.insert(tx, view);
        return view;
    }

    /** Keeps a view that a template describes, in the transaction that creates its schema: it is validated, and not run. */
    public ViewRow create(Tx tx, ProjectAccess access, Schema schema, ProjectTemplate.Look look) {
        var kind = ViewRow.Kind.named(look.kind()).orElseThrow();
        var given = look.definition();
        var definition = given == null ? ViewDefinition.EMPTY : Json.exact().treeToValue(given, ViewDefinition.class);
        var checked = new ViewCheck(new ViewAttributes(access, schema, catalog), Set.of()).checked(kind, definition);
        return create(tx, access, schema, new ViewDraft(look.name(), kind, true, checked));
    }

    /** The same in a transaction of its own. */
    public ViewRow create(ProjectAccess access, Schema schema, ViewDraft checked) {
        return db.inTransaction(tx -> create(tx, access, schema, checked));
    }

    /**
     * Changes a view to a checked draft.
     *
     * @param before the view that the draft was made of; if it is another by now, nothing is changed
     */
    public ViewRow change(ProjectAccess access, Schema schema, ViewRow before, ViewDraft checked) {
        requireRole(access, before.shared());
        return db.inTransaction(tx -> {
            var definition = current(catalog.current(tx, access.tables(), schema.id()), schema, checked.definition());
            var locked = locked(tx, access, before.id(), before.version());
            requireMember(tx, access, checked.shared());
            // A link shows what its sharer may read, so nobody who may read less decides what of that it shows.
            if (!access.isOwner() && links.isSharedByOthers(tx, before.id(), access.user(), now())) {
                throw ViewProblem.sharedByOthers();
            }
            if (locked.shared() != checked.shared()) {
                requireRoom(tx, access, schema, checked.shared());
            }
            var changed = locked.changed(checked.with(definition), access.user(), now());
            store.update(tx, changed);
            return changed;
        });
    }

    /** With the ids of now: a change of a type since it was checked has given an attribute another. */
    private static ViewDefinition current(Schema now, Schema checked, ViewDefinition definition) {
        if (now.version() == checked.version()) {
            return definition;
        }
        UnaryOperator<String> ids = path -> {
            int point = path.indexOf('.');
            var own = point < 0 ? path : path.substring(0, point);
            return own.equals(ViewAttributes.CREATED)
                    ? path
                    : now.attribute(own).map(each -> String.valueOf(each.id())).orElse(own)
                            + (point < 0 ? "" : path.substring(point));
        };
        return definition.named(ViewNames.renamed(definition.filter(), ids), ids);
    }

    /**
     * Deletes a view.
     *
     * @param expected the version that the caller knows; null for any
     */
    public void delete(ProjectAccess access, Schema schema, ViewId id, @Nullable Integer expected) {
        var before = get(access, schema, id);
        requireRole(access, before.shared());
        db.useTransaction(tx -> {
            locked(tx, access, id, expected);
            store.delete(tx, id);
        });
    }

    private ViewRow locked(Tx tx, ProjectAccess access, ViewId id, @Nullable Integer expected) {
        // It may have become private to another meanwhile.
        var locked = store.lock(tx, id)
                .filter(each -> each.shared() || each.owner().equals(access.user()))
                .orElseThrow(ViewProblem::none);
        if (expected != null && locked.version() != expected) {
            throw RecordsProblem.otherVersion(locked.version());
        }
        return locked;
    }

    private static void requireRole(ProjectAccess access, boolean shared) {
        if (shared) {
            access.requireEditor();
        }
    }

    /** An admin may read every project, but private views are for members. */
    private void requireMember(Tx tx, ProjectAccess access, boolean shared) {
        if (!shared && projects.find(tx, access.project().id(), access.user()).isEmpty()) {
            throw RecordsProblem.noMember();
        }
    }

    private void requireRoom(Tx tx, ProjectAccess access, Schema schema, boolean shared) {
        store.lockCreation(tx, access.project().id());
        if (store.count(tx, access.project().id(), schema.id(), access.user(), shared) >= MAX_VIEWS) {
            throw ViewProblem.tooMany(MAX_VIEWS);
        }
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
