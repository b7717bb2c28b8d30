package io.hiroba.social.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages that create, edit and delete posts. */
final class ComposePages implements Routes {

    private final Shell shell;
    private final Posts posts;
    private final CardViews cards;
    private final Idempotency idempotency;

    ComposePages(Shell shell, Posts posts, CardViews cards, Idempotency idempotency) {
        this.shell = shell;
        this.posts = posts;
        this.cards = cards;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/posts", ctx -> shell.seeOther(ctx, "/newest"));
        routes.post("/posts", this::create);
        routes.post("/posts/preview", this::preview);
        routes.get("/posts/{id}/edit", this::edit);
        routes.post("/posts/{id}/edit", this::save);
        routes.post("/posts/{id}/delete", this::delete);
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, ComposerView.FIELDS);
        var replyTo = form.value("replyTo");
        if (ctx.formParam("preview") != null) {
            show(ctx, Text.of("social.preview"), ComposerView.again(form));
            return;
        }
        try {
            var draft = draft(form);
            posts.admit(caller, draft);
            var key = Form.of(ctx, "key").value("key");
            var answer = idempotency.once(ctx, caller.user().hex(), key, tx -> {
                var id = posts.create(tx, caller, draft).card().id();
                return Answer.created("/posts/" + id, Map.of("id", id.hex()));
            });
            // A new post is on top of home; a reply may be far down in a long thread, so it is shown by itself.
            var shown = replyTo.isEmpty() ? "/" : answer.headers().getOrDefault("Location", "/posts/" + replyTo);
            shell.seeOther(ctx, shown, Text.of("social.posted"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(
                    ctx,
                    replyTo.isEmpty() ? Text.of("social.new-post") : Text.of("social.reply"),
                    ComposerView.again(form.refused(refusal)));
        }
    }

    private void preview(Context ctx) {
        Caller.of(ctx);
        var content = Form.of(ctx, "content").value("content");
        shell.fragment(ctx, "social/preview", Map.of("html", SafeHtml.ofMarkdown(content)));
    }

    private void edit(Context ctx) {
        var caller = Caller.of(ctx);
        var post = posts.get(caller.user(), id(ctx));
        caller.requireOwnerOrAdmin(post.card().ownedBy().id());
        show(ctx, Text.of("social.edit-post"), ComposerView.edit(post));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        var id = id(ctx);
        var form = Form.of(ctx, "content", "tags", "allowLikes", "allowReplies", "lang", ComposerView.VERSION);
        if (ctx.formParam("preview") != null) {
            show(ctx, Text.of("social.preview"), ComposerView.edit(id.hex(), form));
            return;
        }
        try {
            posts.edit(caller, id, draft(form), version(form));
            shell.seeOther(ctx, "/posts/" + id, Text.of("social.saved"));
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            var composer = refusal.kind() == Problem.Kind.PRECONDITION_FAILED
                    ? ComposerView.conflicted(form, posts.get(caller.user(), id))
                    : ComposerView.edit(id.hex(), form.refused(refusal));
            show(ctx, Text.of("social.edit-post"), composer);
        }
    }

    /** The version of the post that the form was filled from. */
    private static @Nullable Long version(Form form) {
        var text = form.value(ComposerView.VERSION);
        return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
    }

    private void delete(Context ctx) {
        var id = id(ctx);
        posts.delete(Caller.of(ctx), id);
        var back = ReturnPath.of(ctx, "/");
        shell.seeOther(ctx, back.startsWith("/posts/" + id) ? "/" : back, Text.of("social.deleted"));
    }

    private void show(Context ctx, Text title, ComposerView composer) {
        var parent = parent(ctx, composer.form().value("replyTo"));
        shell.page(ctx, title, "social/compose", Map.of("composer", composer, "parent", parent));
    }

    /** The post that is replied to; empty if it was deleted, so that the draft is shown all the same. */
    private List<PostItem> parent(Context ctx, String replyTo) {
        if (replyTo.isEmpty()) {
            return List.of();
        }
        try {
            var post = posts.get(Caller.of(ctx).user(), PostId.parse(replyTo));
            return List.of(cards.item(ctx, post.card()));
        } catch (Problem e) {
            return List.of();
        }
    }

    private static PostId id(Context ctx) {
        return PostId.parse(ctx.pathParam("id"));
    }

    private static PostDraft draft(Form form) {
        var replyTo = form.value("replyTo");
        var lang = form.value("lang");
        var draft = new PostDraft(
                // Forms send a line break as two characters, which would count twice.
                form.value("content").replace("\r\n", "\n"),
                tags(form.value("tags")),
                replyTo.isEmpty() ? null : PostId.parse(replyTo),
                form.isChecked("allowLikes"),
                form.isChecked("allowReplies"));
        return lang.isEmpty() ? draft : draft.inLanguage(lang);
    }

    private static List<String> tags(String typed) {
        return Arrays.stream(typed.split("[\\s,、，　]+", -1))
                .filter(tag -> !tag.isEmpty())
                .toList();
    }
}
