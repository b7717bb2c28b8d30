package io.hiroba;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.inbox.people.Farewell;
import io.hiroba.knowledge.Departure;
import io.hiroba.records.Projects;
import io.hiroba.saga.call.LocalSteps;
import io.hiroba.saga.call.StepCall;
import io.hiroba.social.Posts;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The steps in which an account is deleted. Each may be repeated. */
final class FarewellSteps {

    static final String SERVICE = "hiroba";
    private static final int POSTS_AT_ONCE = 200;

    private final Users users;
    private final Posts posts;
    private final Projects projects;
    private final Departure knowledge;
    private final Farewell inbox;

    FarewellSteps(Users users, Posts posts, Projects projects, Departure knowledge, Farewell inbox) {
        this.users = users;
        this.posts = posts;
        this.projects = projects;
        this.knowledge = knowledge;
        this.inbox = inbox;
    }

    void register(LocalSteps steps) {
        steps.register(SERVICE, "delete-posts", this::deletePosts)
                .register(SERVICE, "delete-projects", this::deleteProjects)
                .register(SERVICE, "delete-knowledge", this::deleteKnowledge)
                .register(SERVICE, "delete-inbox", this::deleteInbox)
                .register(SERVICE, "delete-account", this::deleteAccount);
    }

    private JsonNode deletePosts(StepCall call) {
        int all = 0;
        int some;
        do {
            some = posts.deleteSome(server(call), user(call), POSTS_AT_ONCE);
            all += some;
        } while (some == POSTS_AT_ONCE);
        return JsonMapper.shared().createObjectNode().put("posts", all);
    }

    private JsonNode deleteProjects(StepCall call) {
        projects.removeEverywhere(user(call));
        return JsonMapper.shared().createObjectNode();
    }

    private JsonNode deleteKnowledge(StepCall call) {
        return JsonMapper.shared().createObjectNode().put("sources", knowledge.delete(user(call)));
    }

    private JsonNode deleteInbox(StepCall call) {
        return JsonMapper.shared().createObjectNode().put("items", inbox.delete(user(call)));
    }

    /** A repeat finds nobody, and that is what was wanted. */
    private JsonNode deleteAccount(StepCall call) {
        if (users.find(user(call)).isPresent()) {
            users.delete(server(call), user(call));
        }
        return JsonMapper.shared().createObjectNode();
    }

    private static UserId user(StepCall call) {
        return UserId.parse(call.input().path("user").asString());
    }

    /** The server, in the name of whoever asked for it. */
    private static Caller server(StepCall call) {
        return new Caller(UserId.parse(call.input().path("by").asString()), true, new Caller.ByServer(), null);
    }
}
