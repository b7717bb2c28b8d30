package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.data.Documents;
import io.hiroba.records.query.FoundRow;
import io.hiroba.records.query.Queries;
import io.hiroba.records.query.Query;
import io.hiroba.records.query.QueryReader;
import io.hiroba.records.query.Sort;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The records that a reference may be made to refer to, by the beginning of what they are called. */
public final class ChoicePages implements Routes {

    private static final int MOST = 10;

    private final Entrance entrance;
    private final Queries queries;

    public ChoicePages(Entrance entrance, Queries queries) {
        this.entrance = entrance;
        this.queries = queries;
    }

    private record Choice(String id, String title) {}

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SCHEMA + "/choices/{attribute}", this::list);
    }

    private void list(Context ctx) {
        var access = entrance.project(ctx);
        var reference = entrance.schema(ctx, access)
                .attribute(ctx.pathParam("attribute"))
                .filter(each -> each.references() != null)
                .orElseThrow(RecordsProblem::noRecord);
        var target = entrance.target(access, Titles.target(reference));
        var beginning = Optional.ofNullable(ctx.queryParam("q")).orElse("").strip();
        ctx.json(Map.of("choices", choices(access, target, beginning)));
    }

    private List<Choice> choices(Access access, Sight target, String beginning) {
        var title = Titles.attribute(target).orElse(null);
        var query = Query.all(target.schema().name()).limit(MOST);
        if (title != null) {
            query = query.where(QueryReader.condition(test(title, beginning)))
                    .sortedBy(new Sort(title.name(), false, false));
        }
        return queries.page(access.caller(), access.project().id(), query).rows().stream()
                .map(row -> new Choice(row.id().toString(), title(title, row)))
                .toList();
    }

    private static @Nullable JsonNode test(Attribute title, String beginning) {
        return beginning.isEmpty()
                ? null
                : Documents.exact()
                        .createObjectNode()
                        .put("attr", title.name())
                        .put("op", "startsWith")
                        .put("value", beginning);
    }

    private static String title(@Nullable Attribute attribute, FoundRow row) {
        var text = attribute == null
                ? ""
                : Documents.value(row.document(), attribute).asString("");
        return text.isBlank() ? Titles.shortened(row.id().toString()) : Cells.cut(text);
    }
}
