package io.hiroba.knowledge.sources;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceType;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sources over HTTP. */
public final class SourceRoutes implements Routes {

    private static final String PATH = "/api/v1/knowledge/sources";
    private static final String ONE = PATH + "/{id}";
    private static final String LIST = "knowledge-sources";
    private static final String CHUNKS = "knowledge-chunks";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    /** What fetching and reading a page takes at most. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Sources sources;
    private final SourceForms forms;
    private final Idempotency idempotency;
    private final Cursors cursors;

    public SourceRoutes(Sources sources, SourcesConfig config, Idempotency idempotency, Cursors cursors) {
        this.sources = sources;
        this.forms = new SourceForms(config);
        this.idempotency = idempotency;
        this.cursors = cursors;
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
    }

    private void add(Context ctx) {
        var caller = Caller.of(ctx);
        // A repeat of what was answered is nothing more that is handed in.
        if (!idempotency.isAnswered(ctx, caller.user().hex())) {
            sources.admit(caller);
        }
        var form = forms.addition(ctx);
        if (form.handed() instanceof Handed.Url) {
            idempotency.runOutside(
                    ctx,
                    caller.user().hex(),
                    form.fingerprint(),
                    LONGEST,
                    () -> answer(sources.addAdmitted(caller, form.handed(), form.isPublic())));
        } else {
            var draft = sources.read(caller, form.handed());
            idempotency.run(
                    ctx,
                    caller.user().hex(),
                    form.fingerprint(),
                    tx -> answer(sources.add(tx, caller, draft, form.isPublic())));
        }
    }

    private static Answer answer(Sources.Added added) {
        var view = SourceView.of(added.source());
        return added.isNew() ? Answer.created(PATH + "/" + view.id(), view) : Answer.ok(view);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var type = Optional.ofNullable(ctx.queryParam("type"))
                .map(text -> SourceType.of(text)
                        .orElseThrow(() -> KnowledgeProblem.invalid("type", "is not a type of sources")));
        var filter = new SourceFilter(type.orElse(null), mine(ctx.queryParam("mine")));
        var before = cursors.read(LIST, request).map(cursor -> new SourceId(cursor.number(0)));
        var found = sources.list(caller, filter, before, request.limit() + 1);
        ctx.json(Page.of(found, request.limit(), this::cursor).map(SourceView::of));
    }

    private String cursor(Source last) {
        return cursors.write(LIST, Cursor.of(Long.toString(last.id().value())));
    }

    private static boolean mine(@Nullable String text) {
        return switch (text) {
            case null -> false;
            case "true" -> true;
            case "false" -> false;
            default -> throw KnowledgeProblem.invalid("mine", "must be true or false");
        };
    }

    private void get(Context ctx) {
        ctx.json(SourceView.of(sources.get(Caller.of(ctx), id(ctx))));
    }

    private void chunks(Context ctx) {
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        int after = cursors.read(CHUNKS, request)
                .map(cursor -> Math.toIntExact(cursor.number(0)))
                .orElse(-1);
        var found = sources.chunks(Caller.of(ctx), id(ctx), after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(CHUNKS, Cursor.of(Integer.toString(last.position()))))
                .map(SourceView.Passage::of));
    }

    private void replace(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        // Who may not is told so before a file is read.
        sources.requireChangeable(caller, id);
        var form = forms.replacement(ctx);
        once(ctx, caller, form.fingerprint(), () -> sources.replace(caller, id, form.handed()));
    }

    private record Change(@Nullable String title, @Nullable String visibility) {}

    private void change(Context ctx) {
        var change = Body.json(ctx, Change.class);
        var isPublic = change.visibility() == null ? null : SourceForms.isPublic(change.visibility());
        ctx.json(SourceView.of(sources.change(Caller.of(ctx), id(ctx), change.title(), isPublic)));
    }

    private void refresh(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        once(ctx, caller, ctx.bodyAsBytes(), () -> sources.refresh(caller, id));
    }

    /** With a key, a repeat that comes late does not undo what was changed since. */
    private void once(Context ctx, Caller caller, byte[] fingerprint, Supplier<Source> change) {
        idempotency.runOutside(
                ctx, caller.user().hex(), fingerprint, LONGEST, () -> Answer.ok(SourceView.of(change.get())));
    }

    private void delete(Context ctx) {
        sources.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private static SourceId id(Context ctx) {
        return SourceId.parse(ctx.pathParam("id"));
    }
}
