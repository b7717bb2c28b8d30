package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.records.KnowledgeTexts.ChosenTexts;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The choice of schemas whose records are found in knowledge, over HTTP. */
final class KnowledgeTextRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/schemas/{schema}/knowledge";

    private final Projects projects;
    private final KnowledgeTexts texts;

    KnowledgeTextRoutes(Projects projects, KnowledgeTexts texts) {
        this.projects = projects;
        this.texts = texts;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> ctx.json(ChosenView.of(texts.get(access(ctx), schema(ctx)))));
        routes.put(PATH, ctx -> {
            var body = Body.json(ctx, ChoiceBody.class);
            ctx.json(ChosenView.of(texts.choose(access(ctx), schema(ctx), body.attributes())));
        });
        routes.delete(PATH, ctx -> {
            texts.end(access(ctx), schema(ctx));
            ctx.status(204);
        });
    }

    private record ChoiceBody(List<String> attributes) {}

    private record ChosenView(String schema, List<String> attributes, List<String> readers, Instant createdAt) {

        static ChosenView of(ChosenTexts chosen) {
            return new ChosenView(
                    chosen.schema().name(),
                    chosen.attributes().stream().map(SchemaAttribute::name).toList(),
                    chosen.readers().stream()
                            .sorted()
                            .map(role -> role.name().toLowerCase(Locale.ROOT))
                            .toList(),
                    chosen.since());
        }
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    private static String schema(Context ctx) {
        return ctx.pathParam("schema");
    }
}
