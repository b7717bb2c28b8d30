package io.hiroba;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.api.Operators;
import io.hiroba.inbox.api.ReadablePosts;
import io.hiroba.platform.problem.Problem;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import java.util.Optional;

/** What the inbox asks other features. */
final class InboxNeighbours implements Operators, ReadablePosts {

    private final SagaRoles roles;
    private final Posts posts;

    InboxNeighbours(SagaRoles roles, Posts posts) {
        this.roles = roles;
        this.posts = posts;
    }

    @Override
    public boolean include(Caller caller) {
        var role = roles.of(caller);
        return role == SagaRole.OPERATOR || role == SagaRole.ADMIN;
    }

    @Override
    public Optional<Titled> find(Caller caller, long post) {
        try {
            var content = posts.get(caller.user(), new PostId(post)).content();
            return Optional.of(new Titled(post, InboxSurroundings.title(content)));
        } catch (Problem e) {
            return Optional.empty();
        }
    }
}
