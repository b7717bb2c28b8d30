package io.hiroba.agents;

import gg.jte.Content;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.agents.AgentRun.Reason;
import io.hiroba.agents.AgentRun.State;
import io.hiroba.agents.RunFeedback.FeedbackSummary;
import io.hiroba.agents.RunFeedbackStore.Feedback;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.web.Avatar;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.SafeHtml;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.PostCard;
import io.hiroba.social.PostId;
import io.hiroba.social.messages.DirectMessage;
import io.hiroba.social.messages.MessageId;
import io.hiroba.social.messages.ThreadAdditions;
import io.hiroba.social.pages.Additions;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parts of the pages of posts and private threads: what agents are writing in reply, and feedback on what they have written. */
final class LiveRunPages implements Routes, Additions, ThreadAdditions {

    private static final String FEEDBACK = AgentPages.PATH + "/replies/";

    private static final Content NOTHING = output -> {};

    private final Shell shell;
    private final Users users;
    private final LiveRuns live;
    private final RunFeedback feedback;

    LiveRunPages(Shell shell, Users users, LiveRuns live, RunFeedback feedback) {
        this.shell = shell;
        this.users = users;
        this.live = live;
        this.feedback = feedback;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(AgentPages.PATH + "/{id}/runs/{run}/live", this::show);
        routes.post(FEEDBACK + "{post}/feedback", this::put);
        routes.post(FEEDBACK + "{post}/feedback/delete", this::remove);
    }

    private static PostId post(Context ctx) {
        return PostId.parse(ctx.pathParam("post"));
    }

    private void put(Context ctx) {
        var form = Form.of(ctx, "value", "comment");
        feedback.put(Caller.of(ctx), post(ctx), RunFeedbackRoutes.isUp(form.value("value")), form.value("comment"));
        seeReply(ctx, Text.of("agents.feedback-saved"));
    }

    private void remove(Context ctx) {
        feedback.remove(Caller.of(ctx), post(ctx));
        seeReply(ctx, Text.of("agents.feedback-removed"));
    }

    private void seeReply(Context ctx, Text notice) {
        shell.seeOther(ctx, feedback.path(Caller.of(ctx), post(ctx)), notice);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var found = live.find(caller, UserId.parse(ctx.pathParam("id")), Ids.parse(ctx.pathParam("run")));
        var run = found.run();
        var profile = users.find(run.agent());
        var nickname = nickname(profile);
        var agent = run.agent().hex();
        var id = Ids.hex(run.id());
        boolean writing = run.state() == State.RUNNING;
        var parameters = new HashMap<String, Object>();
        parameters.put("run", id);
        parameters.put("agent", agent);
        parameters.put("nickname", nickname);
        parameters.put(
                "avatar",
                Avatar.of(
                        agent,
                        nickname,
                        profile.map(each -> each.user().avatar()).orElse(null)));
        parameters.put("writing", writing);
        parameters.put("text", SafeHtml.ofMarkdown(found.draft().text()));
        parameters.put("tool", Optional.ofNullable(found.draft().tool()).orElse(""));
        parameters.put(
                "notice", writing ? shell.text(ctx, Text.of("agents.writing", "name", nickname)) : notice(ctx, run));
        parameters.put(
                "stop", caller.mayChange(run.caller()) ? "/api/v1/agents/%s/runs/%s/stop".formatted(agent, id) : "");
        shell.fragment(ctx, "agents/live-run", parameters);
    }

    private static String nickname(Optional<Profile> profile) {
        return profile.map(each -> each.user().nickname().value()).orElse("?");
    }

    /** The sentence that says who stopped a run, or to its caller that the agent is not for them; empty for other runs. */
    private String notice(Context ctx, AgentRun run) {
        var nickname = nickname(users.find(run.agent()));
        if (run.reason() == Reason.CALLER && Caller.of(ctx).user().equals(run.caller())) {
            return shell.text(ctx, Text.of("agents.not-for-you", "name", nickname));
        }
        if (run.state() != State.STOPPED) {
            return "";
        }
        @Nullable UserId by = run.stoppedBy();
        return shell.text(
                ctx,
                by == null
                        ? Text.of("agents.was-stopped", "name", nickname)
                        : Text.of("agents.was-stopped-by", "name", nickname, "by", nickname(users.find(by))));
    }

    /** Where runs are shown; the author of the post reads as well which of them came to nothing, and why. */
    @Override
    public Content belowPost(Context ctx, PostCard post) {
        var caller = Caller.of(ctx);
        var place = place(ctx, caller.user().equals(post.ownedBy().id()) ? List.of(post.id()) : List.of());
        var rating = post.ownedBy().agent() ? rating(ctx, caller, post.id()) : NOTHING;
        return output -> {
            rating.writeTo(output);
            place.writeTo(output);
        };
    }

    private Content place(Context ctx, List<PostId> own) {
        var notices = new LinkedHashMap<String, String>();
        if (!own.isEmpty()) {
            live.unanswered(own).forEach(run -> notices.put(Ids.hex(run.id()), notice(ctx, run)));
        }
        return shell.embed(ctx, "agents/live-place", Map.of("notices", notices));
    }

    private Content rating(Context ctx, Caller caller, PostId reply) {
        return feedback.find(caller, reply)
                .map(found -> rating(ctx, reply, found))
                .orElse(NOTHING);
    }

    private Content rating(Context ctx, PostId reply, FeedbackSummary found) {
        return shell.embed(
                ctx,
                "agents/feedback",
                Map.of(
                        "id",
                        reply.hex(),
                        "path",
                        FEEDBACK + reply + "/feedback",
                        "up",
                        found.tally().up(),
                        "down",
                        found.tally().down(),
                        "mine",
                        found.mine().map(mine -> mine.good() ? "up" : "down").orElse(""),
                        "comment",
                        found.mine().map(Feedback::comment).orElse(""),
                        "comments",
                        found.comments().stream().map(Feedback::comment).toList()));
    }

    @Override
    public Map<MessageId, Content> belowMessages(Context ctx, List<DirectMessage> messages) {
        var caller = Caller.of(ctx);
        var replies = messages.stream()
                .filter(message ->
                        message.sender().agent() && !message.sender().id().equals(caller.user()))
                .map(message -> new PostId(message.id().value()))
                .toList();
        return replies.isEmpty()
                ? Map.of()
                : feedback.find(caller, replies).entrySet().stream()
                        .collect(Collectors.toMap(
                                each -> new MessageId(each.getKey().value()),
                                each -> rating(ctx, each.getKey(), each.getValue())));
    }

    @Override
    public Content belowThread(Context ctx, List<DirectMessage> messages) {
        var reader = Caller.of(ctx).user();
        return place(
                ctx,
                messages.stream()
                        .filter(message -> message.sender().id().equals(reader))
                        .map(message -> new PostId(message.id().value()))
                        .toList());
    }

    @Override
    public Content besideFollow(Context ctx, UserId person, String nickname) {
        return NOTHING;
    }
}
