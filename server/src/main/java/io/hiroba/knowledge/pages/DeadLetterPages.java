package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.knowledge.embedding.DeadLetter;
import io.hiroba.knowledge.embedding.DeadLetterId;
import io.hiroba.knowledge.embedding.DeadLetters;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
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
import java.util.Map;

/**
 * The pages of dead letters: chunks that could not be embedded, with the reason, to retry or delete. One's own in knowledge, those of
 * everybody in the admin area, where the text of others' chunks is not shown.
 */
final class DeadLetterPages implements Routes {

    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;

    private final Shell shell;
    private final Readers readers;
    private final DeadLetters letters;
    private final SourceItems owners;
    private final boolean isAll;
    private final String path;
    private final KeysetList<DeadLetter, DeadLetterId> list;

    DeadLetterPages(
            Shell shell, Readers readers, DeadLetters letters, SourceItems owners, Cursors cursors, boolean isAll) {
        this.shell = shell;
        this.readers = readers;
        this.letters = letters;
        this.owners = owners;
        this.isAll = isAll;
        this.path = isAll ? KnowledgePaths.ALL_DEAD_LETTERS : KnowledgePaths.DEAD_LETTERS;
        this.list = new KeysetList<>(
                cursors,
                isAll ? "pages.admin-dead-letters" : "pages.knowledge-dead-letters",
                PAGE_SIZE,
                MAX_PAGE_SIZE,
                cursor -> DeadLetterId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(path, ctx -> show(ctx, Form.EMPTY));
        routes.post(path + "/retry-all", this::retryAll);
        routes.post(path + "/{id}/retry", this::retry);
        routes.post(path + "/{id}/delete", this::delete);
    }

    private void retryAll(Context ctx) {
        int number = letters.retryAll(Caller.of(ctx), isAll, Filter.NONE);
        shell.seeOther(ctx, path, Text.of("knowledge.dead-letters.retrying-all", "count", number));
    }

    private void retry(Context ctx) {
        requireAdmin(ctx);
        try {
            letters.retry(Caller.of(ctx), id(ctx));
            shell.seeOther(ctx, path, Text.of("knowledge.dead-letters.retrying"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, path);
            show(ctx, Form.EMPTY.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        requireAdmin(ctx);
        letters.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, path, Text.of("knowledge.dead-letters.deleted"));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (after, limit) -> letters.list(caller, isAll, Filter.NONE, after, limit));
        var more = page.next() == null ? "" : path + "?after=" + page.next();
        var reader = readers.reader(ctx);
        var items = page.items().stream()
                .map(letter -> isAll
                        ? DeadLetterItem.ofAnybody(
                                letter,
                                reader,
                                caller,
                                owners.name(letter.origin().owner(), reader))
                        : DeadLetterItem.of(letter, reader, path))
                .toList();
        shell.page(
                ctx,
                Text.of("knowledge.tabs.dead-letters"),
                "knowledge/dead-letters",
                Map.of("letters", items, "more", more, "form", form, "path", path, "isAll", isAll));
    }

    private void requireAdmin(Context ctx) {
        if (isAll) {
            Caller.of(ctx).requireAdmin();
        }
    }

    private static DeadLetterId id(Context ctx) {
        return DeadLetterId.parse(ctx.pathParam("id"));
    }
}
