package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.embedding.DeadLetterId;
import io.hiroba.knowledge.embedding.DeadLetters;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/** Passages that got no vector: why, and what their owner does about it. */
public final class DeadLetterPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 100;
    private static final String LIST = "pages.knowledge-dead-letters";

    private final Shell shell;
    private final Times times;
    private final DeadLetters letters;
    private final Cursors cursors;

    public DeadLetterPages(Shell shell, Times times, DeadLetters letters, Cursors cursors) {
        this.shell = shell;
        this.times = times;
        this.letters = letters;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.DEAD_LETTERS, ctx -> show(ctx, Form.EMPTY));
        routes.post(Paths.DEAD_LETTERS + "/retry-all", this::retryAll);
        routes.post(Paths.DEAD_LETTERS + "/{id}/retry", this::retry);
        routes.post(Paths.DEAD_LETTERS + "/{id}/delete", this::delete);
    }

    private void retryAll(Context ctx) {
        int number = letters.retryAll(Caller.of(ctx), false, Filter.NONE);
        shell.seeOther(
                ctx,
                Paths.DEAD_LETTERS,
                number == 1 ? "1 passage is tried again." : "%,d passages are tried again.".formatted(number));
    }

    private void retry(Context ctx) {
        try {
            letters.retry(Caller.of(ctx), id(ctx));
            shell.seeOther(ctx, Paths.DEAD_LETTERS, "It is tried again.");
        } catch (Problem refusal) {
            if (!Refusals.belongToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.DEAD_LETTERS);
            show(ctx, Form.EMPTY.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        letters.delete(Caller.of(ctx), id(ctx));
        shell.seeOther(ctx, Paths.DEAD_LETTERS, "The dead letter is deleted.");
    }

    private void show(Context ctx, Form form) {
        var request = PageRequest.of(ctx, PAGE, MOST);
        long before = cursors.read(LIST, request)
                .map(cursor -> DeadLetterId.parse(cursor.text(0)).value())
                .orElse(Long.MAX_VALUE);
        // One more than is shown tells whether there is another page.
        var found = letters.list(Caller.of(ctx), false, Filter.NONE, before, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? Paths.DEAD_LETTERS + "?after="
                        + cursors.write(LIST, Cursor.of(shown.getLast().id().hex()))
                : "";
        var when = times.of(ctx);
        var items =
                shown.stream().map(letter -> DeadLetterItem.of(letter, when)).toList();
        shell.page(ctx, "Dead letters", "knowledge/dead-letters", Map.of("letters", items, "more", more, "form", form));
    }

    private static DeadLetterId id(Context ctx) {
        return DeadLetterId.parse(ctx.pathParam("id"));
    }
}
