package io.hiroba.social.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.social.Post;
import io.hiroba.social.Tags;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The form of a new post, a reply or an edit.
 *
 * @param key the idempotency key
 * @param draft the key under which the browser stores the draft; empty for none
 * @param newer the post as somebody else has edited it meanwhile
 */
public record ComposerView(
        Kind kind,
        String action,
        Form form,
        SafeHtml preview,
        String key,
        String draft,
        @Nullable Form newer) {

    static final String[] FIELDS = {"content", "tags", "allowLikes", "allowReplies", "lang", "replyTo"};

    static final String VERSION = "version";

    private static final Form BLANK = Form.filled(Map.of("allowLikes", "true", "allowReplies", "true"));

    /** The kind of text that is written. */
    @SuppressWarnings("ImmutableEnumChecker") // a text never changes
    public enum Kind {
        POST("social.post-placeholder", "social.post-button"),
        REPLY("social.reply-placeholder", "social.reply-button"),
        EDIT("social.edit-placeholder", "social.edit-button");

        private final Text placeholder;
        private final Text button;

        Kind(String placeholder, String button) {
            this.placeholder = Text.of(placeholder);
            this.button = Text.of(button);
        }

        public Text placeholder() {
            return placeholder;
        }

        public Text button() {
            return button;
        }
    }

    /** Whether the details below the text are shown from the start. */
    public boolean isOpen() {
        return kind == Kind.EDIT || form.hasErrors();
    }

    static ComposerView post() {
        return of(Kind.POST, "/posts", BLANK, "post");
    }

    static ComposerView reply(String postId) {
        return of(
                Kind.REPLY,
                "/posts",
                Form.filled(Map.of("allowLikes", "true", "allowReplies", "true", "replyTo", postId)),
                "reply-" + postId);
    }

    /** The form as it was sent, to be sent again. */
    static ComposerView again(Form form) {
        var replyTo = form.value("replyTo");
        return replyTo.isEmpty()
                ? of(Kind.POST, "/posts", form, "post")
                : of(Kind.REPLY, "/posts", form, "reply-" + replyTo);
    }

    static ComposerView edit(Post post) {
        return edit(post.card().id().hex(), filled(post));
    }

    private static Form filled(Post post) {
        var card = post.card();
        var lang = card.lang();
        return Form.filled(Map.of(
                "content",
                post.content(),
                "tags",
                String.join(" ", Tags.typed(card.tags(), post.content())),
                "allowLikes",
                card.allowLikes() ? "true" : "",
                "allowReplies",
                card.allowReplies() ? "true" : "",
                "lang",
                lang == null ? "" : lang,
                VERSION,
                Long.toString(card.version())));
    }

    static ComposerView edit(String postId, Form form) {
        return of(Kind.EDIT, "/posts/" + postId + "/edit", form, "");
    }

    /** What was typed beside the newer post, which sending it again replaces. */
    static ComposerView conflicted(Form typed, Post newer) {
        var now = filled(newer);
        var form = typed.with(VERSION, now.value(VERSION)).withProblem(Text.of("social.edit-conflict"));
        var view = edit(newer.card().id().hex(), form);
        return new ComposerView(view.kind, view.action, form, view.preview, view.key, view.draft, now);
    }

    private static ComposerView of(Kind kind, String action, Form form, String draft) {
        var preview = SafeHtml.ofMarkdown(form.value("content"));
        return new ComposerView(kind, action, form, preview, UUID.randomUUID().toString(), draft, null);
    }
}
