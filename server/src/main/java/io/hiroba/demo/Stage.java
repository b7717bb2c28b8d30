package io.hiroba.demo;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Nickname;
import io.hiroba.accounts.PasswordHash;
import io.hiroba.accounts.Revocations;
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
import io.hiroba.social.ActLimits;
import io.hiroba.social.Likes;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.social.Posts;
import io.hiroba.social.SocialConfig;
import io.hiroba.social.follow.Follows;
import java.time.Clock;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The facades as they would have been called in the past, each act at its moment. */
final class Stage {

    /** Reserved for examples: mail to it goes nowhere. */
    private static final String DOMAIN = "@hiroba.example";

    /** Done already, or about somebody or something that is gone since: the act is left out. */
    private static final Set<Problem.Kind> LEFT_OUT =
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

    /** @param password that of all accounts, which nobody knows */
    Stage(Db db, PastClock clock, IdGenerator ids, EventLog events, PasswordHash password, UserId admin) {
        this.db = db;
        this.clock = clock;
        this.password = password;
        // Nobody is slowed down: a rate of 0 means any.
        var limits = new ActLimits(new Throttle(db, Clock.systemUTC()), new SocialConfig(0, 0, 0));
        users = new Users(db, ids, clock, events, new AuditLog(db, ids), new Revocations());
        posts = new Posts(db, ids, clock, events, limits);
        likes = new Likes(db, clock, events, limits);
        follows = new Follows(db, clock, events, limits, users);
        made.putAll(db.read(store::made));
        made.put(Story.ADMIN, admin.value());
    }

    /** Performs the act that is number {@code index} of the story. */
    void perform(int index, Act act) {
        clock.set(act.at());
        try {
            switch (act) {
                case Act.Join join -> join(index, join.person());
                case Act.Present present -> present(present.person());
                case Act.Write write -> write(index, write.entry());
                case Act.Follow follow -> follow(follow);
                case Act.Like like -> like(like);
                case Act.Correct correct -> correct(correct);
            }
        } catch (Problem e) {
            if (!LEFT_OUT.contains(e.kind())) {
                throw e;
            }
        } catch (DbException e) {
            // The author's account is gone.
            if (!SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
                throw e;
            }
        }
    }

    private void join(int index, Person person) {
        var email = new Email(person.email() + DOMAIN);
        var nickname = new Nickname(person.name());
        make(
                index,
                person.name(),
                tx -> users.create(tx, email, nickname, password, false).value());
    }

    private void present(Person person) {
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

    private void write(int index, Entry entry) {
        var caller = caller(entry.author());
        var parent = entry.replyTo() == null ? Optional.<PostId>empty() : post(entry.replyTo());
        if (caller == null || (entry.replyTo() != null && parent.isEmpty())) {
            return;
        }
        var draft = draft(entry, entry.content(), parent.orElse(null));
        make(
                index,
                entry.name(),
                tx -> posts.create(tx, caller, draft).card().id().value());
    }

    private void correct(Act.Correct correct) {
        var caller = caller(correct.entry().author());
        var post = post(correct.entry().name());
        if (caller != null && post.isPresent()) {
            posts.edit(caller, post.get(), draft(correct.entry(), correct.content(), null));
        }
    }

    private void follow(Act.Follow follow) {
        var caller = caller(follow.follower());
        var followee = made.get(follow.followee());
        if (caller != null && followee != null) {
            follows.follow(caller, new UserId(followee));
        }
    }

    private void like(Act.Like like) {
        var caller = caller(like.by());
        var post = post(like.post());
        if (caller != null && post.isPresent()) {
            likes.like(caller, post.get());
        }
    }

    /**
     * Makes something with the note that it is made, unless another node or an earlier run has made it. An earlier run may
     * have followed another version of the story: what has its name is it, whatever its number was.
     */
    private void make(int index, String name, ToLongFunction<Tx> maker) {
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

    private static PostDraft draft(Entry entry, String content, @Nullable PostId replyTo) {
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
