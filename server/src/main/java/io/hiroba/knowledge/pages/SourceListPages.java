package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeCollections;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.KnowledgeSource;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.SourceInput;
import io.hiroba.knowledge.SourceType;
import io.hiroba.knowledge.Sources;
import io.hiroba.knowledge.Sources.Added;
import io.hiroba.knowledge.Sources.Placement;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.UploadedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The list of sources, and the forms that add files, a URL or a text. The script uploads files one by one and is answered in
 * JSON; without it the form sends all files at once.
 */
final class SourceListPages implements Routes {

    private static final Text TITLE = Text.of("knowledge.tabs.sources");
    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 50;
    private static final int MAX_FILES = 50;

    private final Shell shell;
    private final SourceItems items;
    private final Sources sources;
    private final KeysetList<KnowledgeSource, SourceId> list;
    private final ByteSize maxUpload;
    private final KnowledgeCollections collections;

    SourceListPages(
            Shell shell,
            SourceItems items,
            Sources sources,
            KnowledgeCollections collections,
            Cursors cursors,
            ByteSize maxUpload) {
        this.shell = shell;
        this.items = items;
        this.sources = sources;
        this.collections = collections;
        this.maxUpload = maxUpload;
        this.list = new KeysetList<>(
                cursors,
                "pages.knowledge-sources",
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                cursor -> SourceId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.SOURCES, ctx -> show(ctx, Form.EMPTY, List.of()));
        routes.get(KnowledgePaths.SOURCES + "/progress", this::progress);
        routes.post(KnowledgePaths.SOURCES + "/files", this::addFiles);
        routes.post(KnowledgePaths.SOURCES + "/url", this::addUrl);
        routes.post(KnowledgePaths.SOURCES + "/text", this::addText);
    }

    private void progress(Context ctx) {
        var named = items.named(ctx, Optional.ofNullable(ctx.queryParam("ids")).orElse(""));
        shell.page(ctx, TITLE, "knowledge/progress", Map.of("sources", named));
    }

    /** @param failures the files that were refused, and why */
    private void show(Context ctx, Form form, List<SourceList.Failure> failures) {
        var caller = Caller.of(ctx);
        var type = SourceType.of(given(ctx, "type"));
        var collection = given(ctx, "collection");
        var whose = given(ctx, "whose");
        // The link of a collection shows all of it.
        boolean isAll = whose.equals("all") || (whose.isEmpty() && !collection.isEmpty());
        var filter = new Sources.Filter(
                type.orElse(null), !isAll, collection.isEmpty() ? null : CollectionId.parse(collection));
        var page = list.page(ctx, (after, limit) -> sources.list(caller, filter, after, limit));
        var shown = items.of(ctx, page.items());
        var typeName = type.map(SourceType::text).orElse("");
        var more = page.next() == null
                ? null
                : KnowledgePaths.Url.of(KnowledgePaths.SOURCES)
                        .with("whose", isAll ? "all" : "")
                        .with("type", typeName)
                        .with("collection", collection)
                        .with("after", page.next())
                        .text();
        var view = new SourceList(
                shown,
                isAll,
                typeName,
                more,
                maxUpload.bytes(),
                failures,
                SearchForm.Choice.collections(collections, caller, collection, any -> true),
                SearchForm.Choice.collections(
                        collections,
                        caller,
                        form.value("collection").isEmpty() ? collection : form.value("collection"),
                        Collection::mayEdit));
        shell.page(ctx, TITLE, "knowledge/sources", Map.of("list", view, "form", form));
    }

    private static String given(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name)).orElse("");
    }

    private void addFiles(Context ctx) {
        var caller = Caller.of(ctx);
        var files = ctx.uploadedFiles("file");
        var form = Form.of(ctx, "public", "charset", "collection");
        var placement = placement(form);
        if (!wantsHtml(ctx)) {
            var file = files.stream()
                    .findFirst()
                    .orElseThrow(() -> KnowledgeProblem.invalid("file", Text.of("knowledge.field.file-sent")));
            var added = sources.add(caller, input(file, form), placement);
            var outcome = added.isNew()
                    ? Text.of("knowledge.sources.outcome-added")
                    : Text.of("knowledge.sources.outcome-known");
            ctx.status(added.isNew() ? 201 : 200)
                    .json(Map.of("page", path(added), "outcome", shell.text(ctx, outcome)));
            return;
        }
        var added = new ArrayList<Added>();
        var failures = new ArrayList<SourceList.Failure>();
        for (var file : files.subList(0, Math.min(files.size(), MAX_FILES))) {
            try {
                added.add(sources.add(caller, input(file, form), placement));
            } catch (Problem refusal) {
                failures.add(new SourceList.Failure(Text.verbatim(file.filename()), refusal.detail()));
            }
        }
        if (added.isEmpty() && failures.isEmpty()) {
            failures.add(new SourceList.Failure(
                    Text.of("knowledge.sources.no-file"), Text.of("knowledge.sources.choose-file")));
        }
        if (failures.isEmpty()) {
            boolean isOne = added.size() == 1;
            shell.seeOther(
                    ctx,
                    isOne ? path(added.getFirst()) : KnowledgePaths.SOURCES,
                    isOne ? notice(added.getFirst()) : Text.of("knowledge.sources.files-added", "count", added.size()));
            return;
        }
        ctx.status(422);
        show(ctx, form, failures);
    }

    private void addUrl(Context ctx) {
        var form = Form.of(ctx, "url", "public", "collection");
        add(ctx, form, new SourceInput.Url(form.value("url").strip()));
    }

    private void addText(Context ctx) {
        var form = Form.of(ctx, "title", "content", "public", "collection");
        var title = Optional.of(form.value("title").strip()).filter(given -> !given.isEmpty());
        var content = form.value("content").replace("\r\n", "\n");
        add(ctx, form, SourceInput.Text.note(title.orElse(null), content));
    }

    private void add(Context ctx, Form form, SourceInput input) {
        try {
            var added = sources.add(Caller.of(ctx), input, placement(form));
            shell.seeOther(ctx, path(added), notice(added));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, KnowledgePaths.SOURCES);
            show(ctx, form.refused(refusal), List.of());
        }
    }

    private static Placement placement(Form form) {
        var collection = form.value("collection");
        return new Placement(form.isChecked("public"), collection.isEmpty() ? null : CollectionId.parse(collection));
    }

    private static SourceInput input(UploadedFile file, Form form) {
        try (var content = file.content()) {
            return new SourceInput.File(
                    null, file.filename(), file.contentType(), form.value("charset"), content.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean wantsHtml(Context ctx) {
        var accept = ctx.header("Accept");
        return accept != null && accept.contains("text/html");
    }

    private static String path(Added added) {
        return KnowledgePaths.source(added.source().id());
    }

    private static Text notice(Added added) {
        return added.isNew() ? Text.of("knowledge.sources.added") : Text.of("knowledge.sources.added-before");
    }
}
