package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.http.Throttle.Limit;
import java.time.Duration;

/** The rate limits of posts, direct messages, likes and follows. They are checked before the transaction. */
public final class SocialRateLimits {

    private static final Duration PERIOD = Duration.ofHours(1);

    private final Throttle throttle;
    private final SocialConfig config;

    public SocialRateLimits(Throttle throttle, SocialConfig config) {
        this.throttle = throttle;
        this.config = config;
    }

    public void admitPost(Caller caller) {
        admit(caller, "post", config.postsPerHour());
    }

    public void admitMessage(Caller caller) {
        admit(caller, "message", config.messagesPerHour());
    }

    public void admitLike(Caller caller) {
        admit(caller, "like", config.likesPerHour());
    }

    public void admitFollow(Caller caller) {
        admit(caller, "follow", config.followsPerHour());
    }

    private void admit(Caller caller, String action, int perHour) {
        if (perHour == 0 || caller.admin()) {
            return;
        }
        var verdict = throttle.check("social:" + action + ":" + caller.user().hex(), new Limit(perHour, PERIOD));
        if (!verdict.allowed()) {
            throw SocialProblem.tooOften(verdict.retryAfter());
        }
    }
}
