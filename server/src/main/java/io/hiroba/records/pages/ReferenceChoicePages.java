package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordNames;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.query.ConditionParser;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.RecordQuery;
import io.hiroba.records.query.RecordSort;
import io.hiroba.records.query.ResultRow;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Suggests the records that a reference may refer to, by the prefix of their titles, and members by their nicknames. */
final class ReferenceChoicePages implements Routes {

    private static final int MAX_CHOICES = 10;

    private final PageContext context;
    private final Queries queries;

    ReferenceChoicePages(PageContext context, Queries queries) {
        this.context = context;
        this.queries = queries;
    }

    private record Choice(String id, String title) {}

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.SCHEMA + "/choices/{attribute}", this::list);
    }

    private void list(Context ctx) {
        var access = context.project(ctx);
        var attribute = context.schema(ctx, access)
                .attribute(ctx.pathParam("attribute"))
                .filter(each -> each.references() != null || each.isPerson())
                .orElseThrow(RecordsProblem::noRecord);
        var beginning = Optional.ofNullable(ctx.queryParam("q")).orElse("").strip();
        if (attribute.isPerson()) {
            ctx.json(Map.of("choices", members(access, beginning)));
            return;
        }
        var target = context.target(access, RecordTitles.target(attribute));
        ctx.json(Map.of("choices", choices(access, target, beginning)));
    }

    private List<Choice> members(ProjectAccess access, String beginning) {
        return context
                .members(access, beginning.startsWith("@") ? beginning.substring(1) : beginning, MAX_CHOICES)
                .stream()
                .map(each -> new Choice(each.value(), each.label()))
                .toList();
    }

    private List<Choice> choices(ProjectAccess access, RecordAccess target, String beginning) {
        var title = RecordNames.title(target).orElse(null);
        var query = RecordQuery.all(target.schema().name()).limit(MAX_CHOICES);
        if (title != null) {
            query = query.where(ConditionParser.condition(test(title, beginning)))
                    .sortedBy(new RecordSort(title.name(), false, false));
        }
        return queries.page(access.caller(), access.project().id(), query).rows().stream()
                .map(row -> new Choice(row.id().toString(), title(title, row)))
                .toList();
    }

    private static @Nullable JsonNode test(SchemaAttribute title, String beginning) {
        return beginning.isEmpty()
                ? null
                : Documents.exact()
                        .createObjectNode()
                        .put("attr", title.name())
                        .put("op", "startsWith")
                        .put("value", beginning);
    }

    private static String title(@Nullable SchemaAttribute attribute, ResultRow row) {
        var text = attribute == null
                ? ""
                : Documents.value(row.document(), attribute).asString("");
        return text.isBlank() ? RecordTitles.shortened(row.id().toString()) : CellFormatter.cut(text);
    }
}
