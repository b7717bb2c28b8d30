package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.Records;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.Schemas;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.ResultRow;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page of the records that refer to a record, by each attribute that can. */
public final class ReferringPages implements Routes {

    private static final int MAX_SHOWN = 10;

    /** The most attributes that are looked at. */
    private static final int MAX_GROUPS = 20;

    private final Shell shell;
    private final PageContext context;
    private final Records records;
    private final Schemas schemas;
    private final Queries queries;

    ReferringPages(Shell shell, PageContext context, Records records, Schemas schemas, Queries queries) {
        this.shell = shell;
        this.records = records;
        this.context = context;
        this.schemas = schemas;
        this.queries = queries;
    }

    /**
     * The records of a schema that refer to a record by an attribute.
     *
     * @param more the path of all of them, if there are more
     */
    public record Group(
            String schema,
            String attribute,
            List<Cell.Item> records,
            @Nullable String more) {

        public Group {
            records = List.copyOf(records);
        }
    }

    /** The page. */
    public record View(
            ProjectHeader project, String schema, String schemaPath, String path, String title, List<Group> groups) {

        public View {
            groups = List.copyOf(groups);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.RECORD + "/referring", this::show);
    }

    private void show(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var record = records.get(access, recordAccess.schema().name(), PageContext.row(ctx));
        var path =
                RecordPaths.schema(access.project().id(), recordAccess.schema().name());
        var view = new View(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                path,
                path + "/" + record.id(),
                RecordTitles.of(recordAccess, record),
                of(access, recordAccess.schema().id(), record.id()));
        shell.page(ctx, Text.verbatim(view.title()), "records/referring", Map.of("view", view));
    }

    /** Those that the reader may read. */
    private List<Group> of(ProjectAccess access, short target, String id) {
        var groups = new ArrayList<Group>();
        for (var schema : schemas.list(access)) {
            var referring = context.target(access, schema.id());
            for (var attribute : referring.shown()) {
                var references = attribute.references();
                if (references != null && references == target && groups.size() < MAX_GROUPS) {
                    var group = group(access, referring, attribute, id);
                    if (!group.records().isEmpty()) {
                        groups.add(group);
                    }
                }
            }
        }
        return groups;
    }

    private Group group(ProjectAccess access, RecordAccess of, SchemaAttribute attribute, String id) {
        var path = RecordPaths.schema(access.project().id(), of.schema().name());
        var where = Documents.exact()
                .createObjectNode()
                .put("attr", attribute.name())
                .put("op", "eq")
                .put("value", id);
        var query = RecordQuery.all(of.schema().name())
                .where(ConditionParser.condition(where))
                .limit(MAX_SHOWN);
        var page = queries.page(access.caller(), access.project().id(), query);
        var filter = "?a=%s&o=%s&v=%s"
                .formatted(RecordPaths.encoded(attribute.name()), attribute.isList() ? "in" : "eq", id);
        return new Group(
                of.schema().label(),
                attribute.label(),
                page.rows().stream()
                        .map(row -> new Cell.Item(title(of, row), path + "/" + row.id(), null, null))
                        .toList(),
                page.next() == null ? null : path + filter);
    }

    private static String title(RecordAccess of, ResultRow row) {
        return RecordNames.title(of)
                .map(each -> Documents.value(row.document(), each).asString(""))
                .filter(text -> !text.isBlank())
                .map(CellFormatter::cut)
                .orElseGet(() -> RecordTitles.shortened(row.id().toString()));
    }
}
