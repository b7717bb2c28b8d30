package io.hiroba.records.odata;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.RetryAfter;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.RowId;
import io.hiroba.records.Schemas;
import io.hiroba.records.odata.EntityModel.EntitySet;
import io.hiroba.records.odata.EntityModel.SystemProperty;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The OData service of each project: its service document, its metadata, entity sets and entities. */
final class ODataRoutes implements Routes {

    static final String PATH = "/odata/{project}";

    private static final String METADATA = "$metadata";
    private static final Pattern KEY =
            Pattern.compile("(?<set>[^()]+)\\((?:" + SystemProperty.ID.label() + "=)?(?<id>[0-9a-fA-F-]{36})\\)");
    private static final Pattern MAX_PAGE_SIZE = Pattern.compile("(?:odata\\.)?maxpagesize=(\\d{1,6})");

    private final String publicUrl;
    private final Projects projects;
    private final Schemas schemas;
    private final EntityReader reader;

    /** @param publicUrl empty if it is not configured */
    ODataRoutes(String publicUrl, Projects projects, Schemas schemas, EntityReader reader) {
        this.publicUrl = publicUrl;
        this.projects = projects;
        this.schemas = schemas;
        this.reader = reader;
    }

    /** A request with what it is about. */
    private record ODataRequest(
            Context ctx, ProjectAccess access, EntityModel model, Map<String, String> options, EntityWriter writer) {}

    private interface ODataHandler {
        void handle(ODataRequest request);
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, FormerNames.noting(ctx -> handle(ctx, this::service)));
        routes.get(PATH + "/{resource}", FormerNames.noting(ctx -> handle(ctx, this::resource)));
        routes.get(PATH + "/{resource}/{part}", FormerNames.noting(ctx -> handle(ctx, this::part)));
    }

    private void handle(Context ctx, ODataHandler handler) {
        ctx.header("OData-Version", "4.0");
        ctx.header("Cache-Control", "no-store");
        try {
            var access = projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
            var model = EntityModel.of(access, schemas.list(access));
            handler.handle(new ODataRequest(ctx, access, model, options(ctx), writer(ctx, root(ctx, access))));
        } catch (Problem problem) {
            answer(ctx, problem);
        }
    }

    /** An error in the form of OData. */
    private record ErrorView(ErrorDetail error) {}

    private record ErrorDetail(String code, String message, List<ErrorTarget> details) {}

    private record ErrorTarget(String code, String target, String message) {}

    private static void answer(Context ctx, Problem problem) {
        var language = RequestLanguage.of(ctx);
        if (problem.kind() == Problem.Kind.UNAUTHENTICATED) {
            // Spreadsheets ask for a password only if they are told to.
            ctx.header("WWW-Authenticate", "Basic realm=\"Hiroba\", charset=\"UTF-8\"");
        }
        if (problem.retryAfter().isPositive()) {
            RetryAfter.set(ctx, problem.retryAfter());
        }
        var details = problem.fields().stream()
                .map(field -> new ErrorTarget(
                        problem.code(), field.field(), field.message().in(language)))
                .toList();
        ctx.status(ODataProblem.status(problem))
                .contentType("application/json")
                .result(Json.bytes(new ErrorView(
                        new ErrorDetail(problem.code(), problem.detail().in(language), details))));
    }

    private static Map<String, String> options(Context ctx) {
        var options = new LinkedHashMap<String, String>();
        ctx.queryParamMap().forEach((name, values) -> {
            if (name.startsWith("$") && values.size() > 1) {
                throw ODataProblem.invalid(name, Text.of("records.odata.twice"));
            }
            options.put(name, values.isEmpty() ? "" : values.getFirst());
        });
        return options;
    }

    private String root(Context ctx, ProjectAccess access) {
        return (publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl) + "/odata/"
                + access.project().id().hex() + "/";
    }

    private static EntityWriter writer(Context ctx, String root) {
        var wanted = (String.valueOf(ctx.header("Accept")) + " " + String.valueOf(ctx.queryParam("$format")))
                .toLowerCase(Locale.ROOT);
        return new EntityWriter(root, !wanted.contains("metadata=none"), wanted.contains("ieee754compatible=true"));
    }

    private static void json(ODataRequest request, byte[] body) {
        var writer = request.writer();
        request.ctx()
                .contentType("application/json;odata.metadata=%s%s"
                        .formatted(
                                writer.metadata() ? "minimal" : "none",
                                writer.numbersAsTexts() ? ";IEEE754Compatible=true" : ""))
                .result(body);
    }

    private void service(ODataRequest request) {
        ODataOptions.requireKnown(request.options(), Set.of("$format"));
        json(request, request.writer().service(request.model().sets()));
    }

    private void resource(ODataRequest request) {
        var resource = request.ctx().pathParam("resource");
        if (resource.equals(METADATA)) {
            request.ctx()
                    .contentType("application/xml;charset=utf-8")
                    .result(MetadataDocument.of(request.model()).getBytes(StandardCharsets.UTF_8));
            return;
        }
        var key = KEY.matcher(resource);
        if (key.matches()) {
            entity(request, key);
        } else {
            page(request, request.model().set(resource));
        }
    }

    private void entity(ODataRequest request, Matcher key) {
        var set = request.model().set(key.group("set"));
        entity(request, set, RowId.parse(key.group("id")));
    }

    private void entity(ODataRequest request, EntitySet set, RowId id) {
        var options = ODataOptions.ofEntity(request.model(), set, request.options());
        var entity = reader.entity(request.access(), set, id, options).orElseThrow(RecordsProblem::noRecord);
        json(request, request.writer().single(set, options, entity));
    }

    private void page(ODataRequest request, EntitySet set) {
        var options = ODataOptions.ofSet(request.model(), set, request.options());
        int size = pageSize(request.ctx());
        var top = options.top();
        var page = top != null && top == 0
                ? new EntityReader.EntityPage(
                        List.of(), null, options.count() ? reader.count(request.access(), set, options) : null)
                : reader.page(request.access(), set, options, top == null ? size : Math.min(top, size));
        Integer rest = top == null ? null : top - page.entities().size();
        var next = page.next() == null || (rest != null && rest <= 0) ? null : next(request, set, page.next(), rest);
        json(request, request.writer().page(set, options, page, next));
    }

    private static int pageSize(Context ctx) {
        var preference = ctx.header("Prefer");
        var asked = preference == null ? null : MAX_PAGE_SIZE.matcher(preference);
        if (asked == null || !asked.find()) {
            return EntityReader.MAX_PAGE;
        }
        int size = Math.clamp(Integer.parseInt(asked.group(1)), 1, EntityReader.MAX_PAGE);
        ctx.header("Preference-Applied", "odata.maxpagesize=" + size);
        return size;
    }

    /** The address of what follows: the same options from the cursor on. A count is not repeated. */
    private static String next(ODataRequest request, EntitySet set, String cursor, @Nullable Integer rest) {
        var options = new LinkedHashMap<>(request.options());
        options.keySet().removeAll(Set.of(ODataOptions.SKIP, ODataOptions.COUNT, ODataOptions.TOP));
        if (rest != null) {
            options.put(ODataOptions.TOP, String.valueOf(rest));
        }
        options.put(ODataOptions.SKIP_TOKEN, cursor);
        var address = new StringBuilder(request.writer().root()).append(encoded(set.name()));
        char before = '?';
        for (var option : options.entrySet()) {
            var name = option.getKey().startsWith("$") ? option.getKey() : encoded(option.getKey());
            address.append(before).append(name).append('=').append(encoded(option.getValue()));
            before = '&';
        }
        return address.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void part(ODataRequest request) {
        var resource = request.ctx().pathParam("resource");
        var part = request.ctx().pathParam("part");
        var key = KEY.matcher(resource);
        if (key.matches()) {
            related(request, request.model().set(key.group("set")), RowId.parse(key.group("id")), part);
            return;
        }
        var set = request.model().set(resource);
        if (!part.equals(ODataOptions.COUNT)) {
            throw ODataProblem.noResource(part);
        }
        ODataOptions.requireKnown(request.options(), Set.of(ODataFilter.OPTION));
        var options = ODataOptions.ofSet(request.model(), set, request.options());
        request.ctx().contentType("text/plain").result(String.valueOf(reader.count(request.access(), set, options)));
    }

    /** What a navigation property leads to: the entities of a list, or the one of another; 204 if there is none. */
    private void related(ODataRequest request, EntitySet set, RowId id, String name) {
        var navigation = set.navigation(name).orElseThrow(() -> ODataProblem.noResource(name));
        var none = ODataOptions.ofEntity(request.model(), set, Map.of());
        var from = reader.entity(request.access(), set, id, none).orElseThrow(RecordsProblem::noRecord);
        var target = request.model().target(navigation);
        if (navigation.isMany()) {
            var options = ODataOptions.ofEntity(request.model(), target, request.options());
            var entities = reader.related(request.access(), from, navigation, target, options);
            var page = new EntityReader.EntityPage(entities, null, null);
            json(request, request.writer().page(target, options, page, null));
            return;
        }
        var references = from.references(navigation);
        if (references.isEmpty()) {
            request.ctx().status(204);
        } else {
            entity(request, target, references.getFirst());
        }
    }
}
