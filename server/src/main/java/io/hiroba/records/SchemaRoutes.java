package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.ProblemAnswer.FieldFault;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.AccessRules.WriteKind;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The schemas of a project over HTTP. */
final class SchemaRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/schemas";
    private static final String LIST = "schemas";
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1000;

    private final Projects projects;
    private final Schemas schemas;
    private final Idempotency idempotency;
    private final Cursors cursors;

    SchemaRoutes(Projects projects, Schemas schemas, Idempotency idempotency, Cursors cursors) {
        this.projects = projects;
        this.schemas = schemas;
        this.idempotency = idempotency;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, FormerNames.noting(this::define));
        routes.get(PATH, FormerNames.noting(this::list));
        routes.get(PATH + "/{schema}", FormerNames.noting(this::get));
        routes.put(PATH + "/{schema}", FormerNames.noting(this::evolve));
        routes.put(PATH + "/{schema}/rules", FormerNames.noting(this::setRules));
    }

    private void define(Context ctx) {
        var access = access(ctx).requireOwner();
        var definition = definition(ctx, Optional.ofNullable(ctx.queryParam("name")));
        idempotency.run(ctx, access.user().hex(), tx -> {
            var schema =
                    schemas.define(tx, access, definition, QueryParams.of(ctx).flag("reuse"));
            return Answer.created(
                    "/api/v1/projects/%s/schemas/%s"
                            .formatted(access.project().id().hex(), SchemaNames.encoded(schema.name())),
                    SchemaView.of(access, schema, schemas.list(tx, access)));
        });
    }

    private void list(Context ctx) {
        var access = access(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        long after = cursors.read(LIST, request).map(cursor -> cursor.number(0)).orElse(0L);
        var all = schemas.list(access);
        var found = all.stream()
                .filter(schema -> schema.id() > after)
                .limit(request.limit() + 1L)
                .toList();
        ctx.json(Page.of(found, request.limit(), last -> cursors.write(LIST, Cursor.of(Short.toString(last.id()))))
                .map(schema -> SchemaView.of(access, schema, all)));
    }

    private void get(Context ctx) {
        var access = access(ctx);
        show(ctx, access, schemas.get(access, ctx.pathParam("schema")));
    }

    /** @param changes the changes, in words */
    private record EvolutionView(boolean allowed, List<String> changes, List<FieldFault> refused) {

        static EvolutionView of(SchemaEvolution evolution, Language language) {
            return new EvolutionView(
                    evolution.isAllowed(),
                    evolution.changes().stream()
                            .map(change -> change.in(language))
                            .toList(),
                    FieldFault.of(evolution.refused(), language));
        }
    }

    private void evolve(Context ctx) {
        var access = access(ctx).requireOwner();
        var name = ctx.pathParam("schema");
        var definition = definition(ctx, Optional.empty());
        if (QueryParams.of(ctx).flag("dryRun")) {
            ctx.json(EvolutionView.of(schemas.preview(access, name, definition), RequestLanguage.of(ctx)));
        } else {
            show(ctx, access, schemas.evolve(access, name, definition));
        }
    }

    private record RulesBody(
            @Nullable Boolean ownRowsOnly,
            @Nullable MatchingBody matching,
            @Nullable Set<String> hidden,
            @Nullable Set<String> readOnly,
            @Nullable List<TestBody> where,
            @Nullable Boolean create,
            @Nullable Boolean update,
            @Nullable Boolean delete,
            @Nullable RulesBody editors) {

        AccessRules rules() {
            if (editors != null && editors.editors() != null) {
                throw RecordsProblem.invalid("editors.editors", Text.of("http.field.unknown"));
            }
            var denied = EnumSet.noneOf(WriteKind.class);
            deny(denied, WriteKind.CREATE, create);
            deny(denied, WriteKind.UPDATE, update);
            deny(denied, WriteKind.DELETE, delete);
            return new AccessRules(
                    Boolean.TRUE.equals(ownRowsOnly),
                    matching == null ? null : matching.matching(),
                    hidden == null ? Set.of() : hidden,
                    readOnly == null ? Set.of() : readOnly,
                    where == null
                            ? List.of()
                            : where.stream().map(TestBody::test).toList(),
                    denied,
                    editors == null ? null : editors.rules());
        }

        private static void deny(Set<WriteKind> denied, WriteKind kind, @Nullable Boolean allowed) {
            if (Boolean.FALSE.equals(allowed)) {
                denied.add(kind);
            }
        }
    }

    /** A comparison as in queries. */
    private record TestBody(
            String attr, @Nullable String op, @Nullable JsonNode value) {

        RowTest test() {
            var values = new ArrayList<JsonNode>();
            if (value != null && value.isArray()) {
                value.forEach(values::add);
            } else if (value != null && !value.isNull()) {
                values.add(value);
            }
            return new RowTest(attr, op == null ? "eq" : op, values);
        }
    }

    private record MatchingBody(String attribute, String equals) {

        AccessRules.Matching matching() {
            return new AccessRules.Matching(
                    attribute,
                    switch (equals) {
                        case "id" -> AccessRules.Trait.ID;
                        case "email" -> AccessRules.Trait.EMAIL;
                        case "nickname" ->
                            throw RecordsProblem.invalid("matching.equals", Text.of("records.field.trait-nickname"));
                        default -> throw RecordsProblem.invalid("matching.equals", Text.of("records.field.trait"));
                    });
        }
    }

    private void setRules(Context ctx) {
        var access = access(ctx);
        var rules = Body.exactJson(ctx, ctx.bodyAsBytes(), RulesBody.class).rules();
        show(ctx, access, schemas.setRules(access, ctx.pathParam("schema"), rules));
    }

    private void show(Context ctx, ProjectAccess access, Schema schema) {
        ctx.json(SchemaView.of(access, schema, schemas.list(access)));
    }

    private static SchemaDefinition definition(Context ctx, Optional<String> named) {
        var body = Body.exactJson(ctx, ctx.bodyAsBytes(), JsonNode.class);
        var type = ctx.contentType();
        return JsonSchemaReader.read(body, type != null && type.startsWith("application/schema+json"), named);
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }
}
