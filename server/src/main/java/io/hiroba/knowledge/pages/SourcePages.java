package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.sources.Passages;
import io.hiroba.knowledge.sources.Source;
import io.hiroba.knowledge.sources.Sources;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One source with its passages, and what its owner does with it. */
public final class SourcePages implements Routes {

    private static final String PATH = Paths.SOURCES + "/{id}";
    private static final int CHUNKS = 40;
    private static final int BEFORE_MARKED = 5;

    private final Shell shell;
    private final SourceItems items;
    private final Sources sources;
    private final Passages passages;

    public SourcePages(Shell shell, SourceItems items, Sources sources, Passages passages) {
        this.shell = shell;
        this.items = items;
        this.sources = sources;
        this.passages = passages;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, null));
        routes.get(PATH + "/around", this::around);
        routes.post(PATH + "/visibility", this::share);
        routes.post(PATH + "/rename", this::rename);
        routes.post(PATH + "/refresh", this::refresh);
        routes.post(PATH + "/delete", this::delete);
    }

    private void around(Context ctx) {
        var caller = Caller.of(ctx);
        var source = sources.get(caller, id(ctx));
        var chunk = chunk(ctx).orElseThrow(KnowledgeProblem::noSource);
        int position = passages.position(caller, source.id(), chunk).orElseThrow(KnowledgeProblem::noSource);
        var near = sources.chunks(caller, source.id(), position - 2, position == 0 ? 2 : 3);
        var marked = near.stream()
                .filter(each -> each.id().equals(chunk))
                .findFirst()
                .orElseThrow(KnowledgeProblem::noSource);
        var passage = new PassageView(
                source.title(),
                marked.label(),
                Paths.passage(source.id(), chunk),
                Paths.original(marked.url()),
                near.stream()
                        .map(each -> ChunkItem.of(source.id(), each, each.equals(marked)))
                        .toList());
        shell.fragment(ctx, "knowledge/around", Map.of("passage", passage));
    }

    private void share(Context ctx) {
        var id = id(ctx);
        boolean isPublic = Form.of(ctx, "public").isChecked("public");
        sources.show(Caller.of(ctx), id, isPublic);
        shell.seeOther(ctx, Paths.source(id), isPublic ? "Everybody here may read it now." : "It is private now.");
    }

    private void rename(Context ctx) {
        var form = Form.of(ctx, "title");
        act(
                ctx,
                form,
                () -> sources.change(
                        Caller.of(ctx), id(ctx), form.value("title").strip(), null),
                "It has its new name.");
    }

    private void refresh(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.filled(Map.of("title", sources.get(caller, id(ctx)).title()));
        act(ctx, form, () -> sources.refresh(caller, id(ctx)), "It says now what its address says.");
    }

    private void delete(Context ctx) {
        sources.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, Paths.SOURCES, "The source is deleted.");
    }

    private void act(Context ctx, Form form, Runnable act, String notice) {
        try {
            act.run();
            shell.seeOther(ctx, Paths.source(id(ctx)), notice);
        } catch (Problem refusal) {
            if (!Refusals.belongToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.source(id(ctx)));
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, @Nullable Form refused) {
        var caller = Caller.of(ctx);
        var source = sources.get(caller, id(ctx));
        var item = items.of(ctx, source);
        var marked = chunk(ctx);
        int from = marked.flatMap(chunk -> passages.position(caller, source.id(), chunk))
                .map(position -> Math.max(0, position - BEFORE_MARKED))
                .orElseGet(() -> from(ctx));
        // One more than is shown tells whether there are more.
        var found = sources.chunks(caller, source.id(), from - 1, CHUNKS + 1);
        var shown = found.subList(0, Math.min(found.size(), CHUNKS));
        var sheet = new SourceSheet(
                item,
                source.uri(),
                Paths.original(source.uri()),
                isFetched(source),
                SourceSheet.facts(source),
                shown.stream()
                        .map(chunk -> ChunkItem.of(
                                source.id(),
                                chunk,
                                marked.filter(chunk.id()::equals).isPresent()))
                        .toList(),
                from == 0 ? null : at(source, Math.max(0, from - CHUNKS)),
                found.size() > shown.size() ? at(source, from + CHUNKS) : null,
                SourceItems.poll(List.of(item)));
        var form = refused == null ? Form.filled(Map.of("title", source.title())) : refused;
        shell.page(ctx, source.title(), "knowledge/source", Map.of("sheet", sheet, "form", form));
    }

    private static String at(Source source, int from) {
        return Paths.source(source.id()) + "?from=" + from;
    }

    private static boolean isFetched(Source source) {
        var origin = source.origin();
        return origin != null && origin.startsWith("url:");
    }

    private static int from(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("from"))
                .filter(text -> text.matches("[0-9]{1,8}"))
                .map(Integer::parseInt)
                .orElse(0);
    }

    private static Optional<ChunkId> chunk(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("chunk"))
                .filter(text -> !text.isEmpty())
                .map(ChunkId::parse);
    }

    private static SourceId id(Context ctx) {
        return SourceId.parse(ctx.pathParam("id"));
    }
}
