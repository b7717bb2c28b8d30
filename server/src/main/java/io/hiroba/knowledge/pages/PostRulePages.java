package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.PostRule;
import io.hiroba.knowledge.PostRuleId;
import io.hiroba.knowledge.PostRules;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The page of post rules. */
public final class PostRulePages implements Routes {

    private final Shell shell;
    private final PostRules rules;

    PostRulePages(Shell shell, PostRules rules) {
        this.shell = shell;
        this.rules = rules;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(KnowledgePaths.POST_RULES, ctx -> show(ctx, Form.EMPTY));
        routes.post(KnowledgePaths.POST_RULES, this::add);
        routes.post(KnowledgePaths.POST_RULES + "/{id}/delete", this::delete);
    }

    private void add(Context ctx) {
        var form = Form.of(ctx, "tag", "everyone");
        var tag = form.value("tag").strip();
        try {
            rules.add(Caller.of(ctx), tag.isEmpty() ? null : tag, form.isChecked("everyone"));
            shell.seeOther(ctx, KnowledgePaths.POST_RULES, Text.of("knowledge.post-rules.added"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, KnowledgePaths.POST_RULES);
            show(ctx, form.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        rules.delete(Caller.of(ctx), PostRuleId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, KnowledgePaths.POST_RULES, Text.of("knowledge.post-rules.removed"));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var list = rules.list(caller);
        boolean isAll =
                list.stream().anyMatch(rule -> rule.tag() == null && Objects.equals(rule.owner(), caller.user()));
        shell.page(
                ctx,
                Text.of("knowledge.tabs.post-rules"),
                "knowledge/post-rules",
                Map.of("rules", list.stream().map(Item::of).toList(), "isAll", isAll, "form", form));
    }

    /**
     * A row of the list of post rules.
     *
     * @param what the posts it covers, in words
     * @param isForEveryone whether it covers everybody's posts
     * @param isFilling whether earlier posts are still being added
     */
    public record Item(String id, Text what, boolean isForEveryone, boolean isFilling) {

        static Item of(PostRule rule) {
            boolean isForEveryone = rule.owner() == null;
            return new Item(rule.id().hex(), what(isForEveryone, rule.tag()), isForEveryone, rule.isFilling());
        }

        private static Text what(boolean isForEveryone, @Nullable String tag) {
            if (tag == null) {
                return isForEveryone
                        ? Text.of("knowledge.post-rules.all-posts")
                        : Text.of("knowledge.post-rules.my-posts");
            }
            return isForEveryone
                    ? Text.of("knowledge.post-rules.all-posts-tagged", "tag", tag)
                    : Text.of("knowledge.post-rules.my-posts-tagged", "tag", tag);
        }
    }
}
