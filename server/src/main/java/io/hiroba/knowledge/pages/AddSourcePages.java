package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.sources.Handed;
import io.hiroba.knowledge.sources.Sources;
import io.hiroba.knowledge.sources.Sources.Added;
import io.hiroba.platform.http.Routes;
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
 * Handing in what is to be known: files, an address or a text. A script sends files one by one and is answered in JSON;
 * without it the form brings them together.
 */
public final class AddSourcePages implements Routes {

    private static final int MOST_FILES = 50;

    private final Shell shell;
    private final SourceListPages list;
    private final Sources sources;

    public AddSourcePages(Shell shell, SourceListPages list, Sources sources) {
        this.shell = shell;
        this.list = list;
        this.sources = sources;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(Paths.SOURCES + "/files", this::files);
        routes.post(Paths.SOURCES + "/url", this::url);
        routes.post(Paths.SOURCES + "/text", this::text);
    }

    private void files(Context ctx) {
        var caller = Caller.of(ctx);
        var files = ctx.uploadedFiles("file");
        var form = Form.of(ctx, "public");
        if (!isForPeople(ctx)) {
            var file = files.stream().findFirst().orElseThrow(() -> KnowledgeProblem.invalid("file", "must be sent"));
            var added = sources.add(caller, handed(file), form.isChecked("public"));
            ctx.status(added.isNew() ? 201 : 200).json(Map.of("page", page(added), "outcome", outcome(added)));
            return;
        }
        var added = new ArrayList<Added>();
        var failures = new ArrayList<SourceList.Failure>();
        for (var file : files.subList(0, Math.min(files.size(), MOST_FILES))) {
            try {
                added.add(sources.add(caller, handed(file), form.isChecked("public")));
            } catch (Problem refusal) {
                failures.add(new SourceList.Failure(file.filename(), refusal.detail()));
            }
        }
        if (added.isEmpty() && failures.isEmpty()) {
            failures.add(new SourceList.Failure("Nothing", "choose at least one file."));
        }
        if (failures.isEmpty()) {
            shell.seeOther(
                    ctx,
                    added.size() == 1 ? page(added.getFirst()) : Paths.SOURCES,
                    added.size() == 1 ? sentence(added.getFirst()) : added.size() + " files are added.");
            return;
        }
        ctx.status(422);
        list.show(ctx, form, failures);
    }

    private void url(Context ctx) {
        var form = Form.of(ctx, "url", "public");
        add(ctx, form, new Handed.Url(form.value("url").strip()));
    }

    private void text(Context ctx) {
        var form = Form.of(ctx, "title", "content", "public");
        var title = Optional.of(form.value("title").strip()).filter(given -> !given.isEmpty());
        var content = form.value("content").replace("\r\n", "\n");
        add(ctx, form, Handed.Text.note(title.orElse(null), content));
    }

    private void add(Context ctx, Form form, Handed handed) {
        try {
            var added = sources.add(Caller.of(ctx), handed, form.isChecked("public"));
            shell.seeOther(ctx, page(added), sentence(added));
        } catch (Problem refusal) {
            if (!Refusals.belongToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.SOURCES);
            list.show(ctx, form.refused(refusal), List.of());
        }
    }

    private static Handed handed(UploadedFile file) {
        try (var content = file.content()) {
            return new Handed.File(null, file.filename(), file.contentType(), content.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isForPeople(Context ctx) {
        var accept = ctx.header("Accept");
        return accept != null && accept.contains("text/html");
    }

    private static String page(Added added) {
        return Paths.source(added.source().id());
    }

    private static String outcome(Added added) {
        return added.isNew() ? "added" : "was here already";
    }

    private static String sentence(Added added) {
        return added.isNew() ? "It is added." : "It was here already.";
    }
}
