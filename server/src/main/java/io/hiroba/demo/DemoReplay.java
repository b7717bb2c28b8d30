package io.hiroba.demo;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.PasswordHash;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.UserUpdate;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.http.Throttle;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.problem.Problem;
import io.hiroba.social.Follows;
import io.hiroba.social.Likes;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.SocialRateLimits;
import java.time.Clock;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Replays acts through the facades of accounts and social, each at its own time. */
final class DemoReplay {

    /** A domain reserved for examples: mail to it goes nowhere. */
    private static final String DOMAIN = "@hiroba.example";

    /** The act is done already, or its person or post was deleted: it is skipped. */
    private static final Set<Problem.Kind> SKIPPED =
            EnumSet.of(Problem.Kind.CONFLICT, Problem.Kind.NOT_FOUND, Problem.Kind.FORBIDDEN);

    private final Db db;
    private final PastClock clock;
    private final PasswordHash password;
    private final Users users;
    private final Posts posts;
    private final Likes likes;
    private final Follows follows;
    private final DemoStore store = new DemoStore();
    private final Map<String, Long> made = new HashMap<>();

    /** @param password of all accounts, which nobody knows */
    DemoReplay(Db db, PastClock clock, IdGenerator ids, EventLog events, PasswordHash password, UserId admin) {
        this.db = db;
        this.clock = clock;
        this.password = password;
        // Nobody is slowed down: a rate of 0 means any.
        var limits = new SocialRateLimits(new Throttle(db, Clock.systemUTC()), new SocialConfig(0, 0, 0));
        users = new Users(db, ids, clock, events);
        posts = new Posts(db, ids, clock, events, limits, users);
        likes = new Likes(db, clock, events, limits);
        follows = new Follows(db, clock, events, limits, users);
        made.putAll(db.read(store::made));
        made.put(DemoTimeline.ADMIN, admin.value());
    }

    /** Performs the act that is number {@code index} of the story. */
    void perform(int index, DemoAct act) {
        clock.set(act.at());
        try {
            switch (act) {
                case DemoAct.Join join -> join(index, join.person());
                case DemoAct.Introduce present -> present(present.person());
                case DemoAct.Write write -> write(index, write.entry());
                case DemoAct.Follow follow -> follow(follow);
                case DemoAct.Like like -> like(like);
                case DemoAct.Edit correct -> correct(correct);
            }
        } catch (Problem e) {
            if (!SKIPPED.contains(e.kind())) {
                throw e;
            }
        } catch (DbException e) {
            // The author's account is gone.
            if (!SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
                throw e;
            }
        }
    }

    private void join(int index, DemoPerson person) {
        var email = new Email(person.email() + DOMAIN);
        var nickname = new Nickname(person.name());
        create(
                index,
                person.name(),
                tx -> users.create(tx, email, nickname, password, false).value());
    }

    private void present(DemoPerson person) {
        var caller = caller(person.name());
        if (caller != null) {
            users.update(
                    caller,
                    caller.user(),
                    new UserUpdate(
                            new Nickname(person.name()),
                            person.introduction(),
                            null,
                            person.model(),
                            person.personality(),
                            person.zone(),
                            null,
                            null));
        }
    }

    private void write(int index, DemoPost entry) {
        var caller = caller(entry.author());
        var parent = entry.replyTo() == null ? Optional.<PostId>empty() : post(entry.replyTo());
        if (caller == null || (entry.replyTo() != null && parent.isEmpty())) {
            return;
        }
        var draft = draft(entry, entry.content(), parent.orElse(null));
        create(
                index,
                entry.name(),
                tx -> posts.create(tx, caller, draft).card().id().value());
    }

    private void correct(DemoAct.Edit correct) {
        var caller = caller(correct.entry().author());
        var post = post(correct.entry().name());
        if (caller != null && post.isPresent()) {
            posts.edit(caller, post.get(), draft(correct.entry(), correct.content(), null));
        }
    }

    private void follow(DemoAct.Follow follow) {
        var caller = caller(follow.follower());
        var followee = made.get(follow.followee());
        if (caller != null && followee != null) {
            follows.follow(caller, new UserId(followee));
        }
    }

    private void like(DemoAct.Like like) {
        var caller = caller(like.by());
        var post = post(like.post());
        if (caller != null && post.isPresent()) {
            likes.like(caller, post.get());
        }
    }

    /**
     * Creates a row and records its name in the same transaction, unless another node or an earlier run has. An earlier run may
     * have used another version of the script: a row with this name is taken, whatever its number was.
     */
    private void create(int index, String name, ToLongFunction<Tx> maker) {
        var id = db.inTransaction(tx -> {
            int done = store.lock(tx);
            var known = store.made(tx, name);
            if (known.isPresent() || done > index) {
                return known;
            }
            long fresh = maker.applyAsLong(tx);
            store.made(tx, name, fresh, index + 1);
            return Optional.of(fresh);
        });
        id.ifPresent(value -> made.put(name, value));
    }

    private static PostDraft draft(DemoPost entry, String content, @Nullable PostId replyTo) {
        return new PostDraft(content, entry.tags(), replyTo, true, entry.allowReplies());
    }

    private Optional<PostId> post(String name) {
        return Optional.ofNullable(made.get(name)).map(PostId::new);
    }

    private @Nullable Caller caller(String name) {
        var id = made.get(name);
        return id == null ? null : new Caller(new UserId(id), false, new Caller.ByServer(), null);
    }
}
