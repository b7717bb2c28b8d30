package io.hiroba.social.pages;

import io.hiroba.platform.web.Form;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import java.util.Arrays;
import java.util.List;

/** Reads what somebody wrote into a form. */
final class Composed {

    private Composed() {}

    static PostDraft draft(Form form) {
        var replyTo = form.value("replyTo");
        return new PostDraft(
                // Forms send a line break as two characters, which would count twice.
                form.value("content").replace("\r\n", "\n"),
                tags(form.value("tags")),
                replyTo.isEmpty() ? null : PostId.parse(replyTo),
                form.isChecked("allowLikes"),
                form.isChecked("allowReplies"));
    }

    private static List<String> tags(String typed) {
        return Arrays.stream(typed.split("[\\s,、，　]+", -1))
                .filter(tag -> !tag.isEmpty())
                .toList();
    }
}
