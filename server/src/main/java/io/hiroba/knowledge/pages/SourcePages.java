package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.ChunkId;
import io.hiroba.knowledge.ChunkLocation;
import io.hiroba.knowledge.KnowledgeCollections;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceChunk;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.Sources;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page of a source with its chunks, and its owner's actions. */
final class SourcePages implements Routes {

    private static final String PATH = KnowledgePaths.SOURCES + "/{id}";
    private static final int CHUNKS = 40;
    private static final int BEFORE_MARKED = 5;

    private final Shell shell;
    private final Readers readers;
    private final SourceItems items;
    private final Sources sources;
    private final KnowledgeCollections collections;

    SourcePages(Shell shell, Readers readers, SourceItems items, Sources sources, KnowledgeCollections collections) {
        this.shell = shell;
        this.readers = readers;
        this.items = items;
        this.sources = sources;
        this.collections = collections;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> show(ctx, null));
        routes.get(PATH + "/around", this::context);
        routes.post(PATH + "/visibility", this::share);
        routes.post(PATH + "/collection", this::move);
        routes.post(PATH + "/rename", this::rename);
        routes.post(PATH + "/refresh", this::refresh);
        routes.post(PATH + "/delete", this::delete);
    }

    private void context(Context ctx) {
        var caller = Caller.of(ctx);
        var source = sources.get(caller, id(ctx));
        var chunk = chunk(ctx).orElseThrow(KnowledgeProblem::noSource);
        int position = sources.position(caller, source.id(), chunk).orElseThrow(KnowledgeProblem::noSource);
        var neighbours = sources.chunks(caller, source.id(), position - 2, position == 0 ? 2 : 3);
        var marked = neighbours.stream()
                .filter(each -> each.id().equals(chunk))
                .findFirst()
                .orElseThrow(KnowledgeProblem::noSource);
        var context = new SourceDetails.ChunkContext(
                source.title(),
                ChunkLocation.text(marked.label()),
                KnowledgePaths.chunk(source.id(), chunk),
                Optional.ofNullable(KnowledgePaths.original(marked.url()))
                        .or(() -> file(source, marked))
                        .orElse(null),
                neighbours.stream()
                        .map(each -> SourceDetails.Chunk.of(source.id(), each, each.equals(marked), null))
                        .toList());
        shell.fragment(ctx, "knowledge/chunk-context", Map.of("context", context));
    }

    private void share(Context ctx) {
        var id = id(ctx);
        boolean isPublic = Form.of(ctx, "public").isChecked("public");
        sources.setPublic(Caller.of(ctx), id, isPublic);
        shell.seeOther(
                ctx,
                KnowledgePaths.source(id),
                isPublic ? Text.of("knowledge.source.now-public") : Text.of("knowledge.source.now-private"));
    }

    private void move(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "collection");
        var target = form.value("collection");
        var source = sources.get(caller, id(ctx));
        sources.change(caller, source.id(), new Sources.Change(null, null, target));
        // An editor who took out another's source cannot read it any more.
        var next = target.isEmpty() && source.collection() != null && !caller.mayChange(source.owner())
                ? KnowledgePaths.collection(source.collection().id())
                : KnowledgePaths.source(source.id());
        shell.seeOther(
                ctx,
                next,
                target.isEmpty() ? Text.of("knowledge.source.taken-out") : Text.of("knowledge.source.moved"));
    }

    private void rename(Context ctx) {
        var form = Form.of(ctx, "title");
        run(
                ctx,
                form,
                () -> sources.change(
                        Caller.of(ctx), id(ctx), form.value("title").strip(), null),
                Text.of("knowledge.source.renamed"));
    }

    private void refresh(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.filled(Map.of("title", sources.get(caller, id(ctx)).title()));
        run(ctx, form, () -> sources.refresh(caller, id(ctx)), Text.of("knowledge.source.refreshed"));
    }

    private void delete(Context ctx) {
        sources.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, KnowledgePaths.SOURCES, Text.of("knowledge.source.deleted"));
    }

    private void run(Context ctx, Form form, Runnable action, Text notice) {
        try {
            action.run();
            shell.seeOther(ctx, KnowledgePaths.source(id(ctx)), notice);
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, KnowledgePaths.source(id(ctx)));
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, @Nullable Form refused) {
        var caller = Caller.of(ctx);
        var source = sources.get(caller, id(ctx));
        var item = items.of(ctx, source);
        var marked = chunk(ctx);
        int from = marked.flatMap(chunk -> sources.position(caller, source.id(), chunk))
                .map(position -> Math.max(0, position - BEFORE_MARKED))
                .orElseGet(() -> from(ctx));
        // One more than shown, to know whether there are more.
        var found = sources.chunks(caller, source.id(), from - 1, CHUNKS + 1);
        var shown = found.subList(0, Math.min(found.size(), CHUNKS));
        boolean hasFile = sources.hasOriginal(source.id());
        var details = new SourceDetails(
                item,
                source.uri(),
                KnowledgePaths.original(source.uri()),
                hasFile ? KnowledgePaths.originalFile(source.id(), isPdf(source), null) : null,
                isFetched(source),
                SourceDetails.facts(source, readers.reader(ctx)),
                shown.stream()
                        .map(chunk -> SourceDetails.Chunk.of(
                                source.id(),
                                chunk,
                                marked.filter(chunk.id()::equals).isPresent(),
                                hasFile && isPdf(source)
                                        ? KnowledgePaths.originalFile(source.id(), true, page(chunk))
                                        : null))
                        .toList(),
                from == 0 ? null : at(source, Math.max(0, from - CHUNKS)),
                found.size() > shown.size() ? at(source, from + CHUNKS) : null,
                targets(caller, source));
        var form = refused == null ? Form.filled(Map.of("title", source.title())) : refused;
        shell.page(ctx, Text.verbatim(source.title()), "knowledge/source", Map.of("details", details, "form", form));
    }

    /** None for a source whose readers are decided elsewhere, and for whom it is not theirs to share. */
    private List<SearchForm.Choice> targets(Caller caller, KnowledgeSource source) {
        if (source.type().isMirrored() || !caller.mayChange(source.owner())) {
            return List.of();
        }
        var current =
                source.collection() == null ? "" : source.collection().id().hex();
        return SearchForm.Choice.collections(collections, caller, current, Collection::mayEdit);
    }

    private Optional<String> file(KnowledgeSource source, SourceChunk chunk) {
        return sources.hasOriginal(source.id())
                ? Optional.of(KnowledgePaths.originalFile(source.id(), isPdf(source), page(chunk)))
                : Optional.empty();
    }

    private static boolean isPdf(KnowledgeSource source) {
        return source.metadata().path("mime_type").asString("").equals("application/pdf");
    }

    private static @Nullable Integer page(SourceChunk chunk) {
        var page = chunk.location().path("page");
        return page.isIntegralNumber() ? page.asInt() : null;
    }

    private static String at(KnowledgeSource source, int from) {
        return KnowledgePaths.source(source.id()) + "?from=" + from;
    }

    private static boolean isFetched(KnowledgeSource source) {
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
