package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.documents.DocumentType;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The API of sources. */
final class SourceRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/sources";
    private static final String ONE = PATH + "/{id}";

    /** The time to fetch and read a page at most. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(5);

    private final Sources sources;
    private final SourceRequests forms;
    private final Idempotency idempotency;
    private final KeysetList<KnowledgeSource, SourceId> list;
    private final KeysetList<SourceChunk, Integer> chunks;

    SourceRoutes(Sources sources, SourcesConfig config, Idempotency idempotency, Cursors cursors) {
        this.sources = sources;
        this.forms = new SourceRequests(config);
        this.idempotency = idempotency;
        this.list = new KeysetList<>(
                cursors,
                "knowledge-sources",
                cursor -> new SourceId(cursor.number(0)),
                last -> Cursor.of(Long.toString(last.id().value())));
        this.chunks = new KeysetList<>(
                cursors,
                "knowledge-chunks",
                cursor -> Math.toIntExact(cursor.number(0)),
                last -> Cursor.of(Integer.toString(last.position())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(PATH, this::add);
        routes.get(PATH, this::list);
        routes.get(ONE, this::get);
        routes.put(ONE, this::replace);
        routes.patch(ONE, this::change);
        routes.delete(ONE, this::delete);
        routes.get(ONE + "/chunks", this::chunks);
        routes.post(ONE + "/refresh", this::refresh);
        routes.get(ONE + "/original", this::original);
    }

    private void add(Context ctx) {
        var caller = Caller.of(ctx);
        // A repeated request does not count as an addition, yet repeats are counted as well.
        if (idempotency.isAnswered(ctx, caller.user().hex())) {
            sources.admitRepeat(caller);
        } else {
            sources.admit(caller);
        }
        var form = forms.addition(ctx);
        if (form.input() instanceof SourceInput.Url) {
            idempotency.runOutside(
                    ctx,
                    caller.user().hex(),
                    form.fingerprint(),
                    REQUEST_TIMEOUT,
                    () -> answer(sources.addAdmitted(caller, form.input(), form.placement())));
        } else {
            sources.requireEditor(caller, form.placement());
            var draft = sources.read(caller, form.input());
            idempotency.run(
                    ctx,
                    caller.user().hex(),
                    form.fingerprint(),
                    tx -> answer(sources.add(tx, caller, draft, form.placement())));
        }
    }

    private static Answer answer(Sources.Added added) {
        var view = SourceView.of(added.source());
        return added.isNew() ? Answer.created(PATH + "/" + view.id(), view) : Answer.ok(view);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var given = QueryParams.of(ctx, KnowledgeProblem::invalid);
        var type = given.text("type");
        var collection = given.text("collection");
        var filter = new Sources.Filter(
                type == null ? null : SourceType.parse("type", type),
                given.flag("mine"),
                collection == null ? null : CollectionId.parse(collection));
        ctx.json(list.page(ctx, (after, limit) -> sources.list(caller, filter, after, limit))
                .map(SourceView::of));
    }

    private void get(Context ctx) {
        ctx.json(SourceView.of(sources.get(Caller.of(ctx), id(ctx))));
    }

    private void chunks(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var language = RequestLanguage.of(ctx);
        ctx.json(chunks.page(ctx, (after, limit) -> sources.chunks(caller, id, after.orElse(-1), limit))
                .map(chunk -> SourceView.Chunk.of(chunk, language)));
    }

    private void replace(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        // Refuse before a file is read.
        sources.requireChangeable(caller, id);
        var form = forms.replacement(ctx);
        once(ctx, caller, form.fingerprint(), () -> sources.replace(caller, id, form.input()));
    }

    private record Change(
            @Nullable String title,
            @Nullable String visibility,
            @Nullable String collection) {}

    private void change(Context ctx) {
        var change = Body.json(ctx, Change.class);
        var isPublic = change.visibility() == null ? null : SourceRequests.isPublic(change.visibility());
        ctx.json(SourceView.of(sources.change(
                Caller.of(ctx), id(ctx), new Sources.Change(change.title(), isPublic, change.collection()))));
    }

    private void refresh(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        once(ctx, caller, ctx.bodyAsBytes(), () -> sources.refresh(caller, id));
    }

    /** With an idempotency key, a late repeat does not undo newer changes. */
    private void once(Context ctx, Caller caller, byte[] fingerprint, Supplier<KnowledgeSource> change) {
        idempotency.runOutside(
                ctx, caller.user().hex(), fingerprint, REQUEST_TIMEOUT, () -> Answer.ok(SourceView.of(change.get())));
    }

    /** Sends the file to keep; a PDF also to show, at the page that the address names. A browser runs nothing of it as ours. */
    private void original(Context ctx) {
        var source = sources.get(Caller.of(ctx), id(ctx));
        boolean isInline = QueryParams.of(ctx, KnowledgeProblem::invalid).flag("inline");
        var file = sources.originals()
                .open(source.id())
                .orElseThrow(() -> new KnowledgeProblem(Problem.Kind.NOT_FOUND, "no-original"));
        var type = source.metadata().path("mime_type").asString("");
        boolean isShown = isInline && type.equals(DocumentType.PDF.mediaType());
        var name = source.metadata().path("file_name").asString(source.title());
        ctx.contentType(type.isEmpty() ? "application/octet-stream" : type);
        ctx.header("Cache-Control", "private, no-cache");
        ctx.header("X-Content-Type-Options", "nosniff");
        // The viewers of browsers show no PDF in a sandbox; they run none of its scripts in the page's name anyway.
        ctx.header(
                "Content-Security-Policy",
                isShown ? "script-src 'none'; frame-ancestors 'none'" : "default-src 'none'; sandbox");
        ctx.header("Content-Disposition", (isShown ? "inline" : "attachment") + "; filename*=UTF-8''" + encoded(name));
        ctx.res().setContentLengthLong(file.length());
        ctx.result(file.content());
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }

    private void delete(Context ctx) {
        sources.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static SourceId id(Context ctx) {
        return SourceId.parse(ctx.pathParam("id"));
    }
}
