package io.hiroba.social;

import io.hiroba.accounts.AuditLog;
import io.hiroba.accounts.AuditLog.Target;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.social.MentionStore.Mentioned;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The facade of posts. */
public final class Posts {

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final EventLog events;
    private final SocialRateLimits limits;
    private final Users users;
    private final AuditLog audit;
    private final PostStore store = new PostStore();
    private final MentionStore mentions = new MentionStore();
    private volatile BiFunction<Reads, Collection<String>, List<UserId>> agents = (reads, nicknames) -> List.of();

    public Posts(Db db, IdGenerator ids, InstantSource clock, EventLog events, SocialRateLimits limits, Users users) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.events = events;
        this.limits = limits;
        this.users = users;
        this.audit = new AuditLog(db);
    }

    /**
     * Lets agents be mentioned that share their name with somebody.
     *
     * @param answering finds those that answer, by nicknames in lower case
     */
    public void connectAgents(BiFunction<Reads, Collection<String>, List<UserId>> answering) {
        agents = answering;
    }

    /**
     * Counts a post that is about to be created or edited against the rate limit; {@code social.too-often} if there
     * were too many. One that is too long is refused and does not count.
     */
    public void admit(Caller caller, PostDraft draft) {
        draft.requireLength(caller);
        limits.admitPost(caller);
    }

    public Post create(Caller caller, PostDraft draft) {
        admit(caller, draft);
        return db.inTransaction(tx -> create(tx, caller, draft));
    }

    /** Creates a post in the caller's transaction, after {@link #admit}. */
    public Post create(Tx tx, Caller caller, PostDraft draft) {
        draft.requireLength(caller);
        var author = caller.user();
        var id = new PostId(ids.next());
        var document = Markdown.parse(draft.content());
        var replyTo = draft.replyTo();
        var parent = replyTo == null ? null : requireReplies(tx, author, replyTo);
        var mentioned = PostMentions.meant(document, resolved(tx, author, PostMentions.in(document, Set.of())));
        var complete = draft.completedFrom(document, () -> users.language(tx, author));
        var linked = link(document, mentioned, complete.tags());
        store.insert(tx, id, author, complete, linked.snippet().json());
        mentions.insert(tx, id, mentioned);
        events.append(tx, events(id, author, replyTo, parent, people(mentioned)));
        tx.afterCommit(() -> created(replyTo != null));
        return new Post(find(tx, author, id).card(), draft.content(), linked.html());
    }

    private static void created(boolean isReply) {
        Counter.builder("hiroba.posts.created")
                .description("Posts that this node has taken")
                .tag("reply", String.valueOf(isReply))
                .register(Metrics.globalRegistry)
                .increment();
    }

    public Post get(UserId viewer, PostId id) {
        return db.read(reads -> {
            var stored = find(reads, viewer, id);
            var linked = link(
                    Markdown.parse(stored.content()),
                    mentions.of(reads, id),
                    stored.card().tags());
            return new Post(stored.card(), stored.content(), linked.html());
        });
    }

    /** The content of a post, read in the caller's transaction; empty if {@code viewer} may not read it. */
    public Optional<String> content(Reads reads, UserId viewer, PostId id) {
        return store.find(reads, viewer, id).map(PostStore.Stored::content);
    }

    /** As {@link #content}, of several posts; those that {@code viewer} may not read are left out. */
    public Map<PostId, String> contents(Reads reads, UserId viewer, Collection<PostId> ids) {
        return ids.isEmpty() ? Map.of() : store.contents(reads, viewer, ids);
    }

    /** Whether a block is between the two, in either direction. */
    public boolean isBlocked(Reads reads, UserId one, UserId other) {
        return store.isBlocked(reads, one, other);
    }

    /** The first post of the thread that {@code id} belongs to, which need not be one that everybody may read. */
    public Optional<PostId> root(Reads reads, PostId id) {
        return store.root(reads, id);
    }

    /**
     * Replaces content, tags and permissions; what it replies to stays. Only users who are newly mentioned are
     * notified.
     */
    public Post edit(Caller caller, PostId id, PostDraft draft) {
        return edit(caller, id, draft, null);
    }

    /**
     * As above, unless it was edited since.
     *
     * @param expected the version that must be there; null for any
     */
    public Post edit(Caller caller, PostId id, PostDraft draft, @Nullable Long expected) {
        admit(caller, draft);
        var document = Markdown.parse(draft.content());
        return db.inTransaction(tx -> {
            var locked = store.lock(tx, id).orElseThrow(SocialProblem::postNotFound);
            var owner = locked.owner();
            caller.requireOwnerOrAdmin(owner);
            if (expected != null && expected != locked.version()) {
                throw SocialProblem.otherVersion();
            }
            var before = mentions.of(tx, id);
            var mentioned = resolveKeeping(before, tx, owner, document);
            var complete = draft.completedFrom(document, () -> users.language(tx, owner));
            var linked = link(document, mentioned, complete.tags());
            store.update(tx, id, owner, complete, linked.snippet().json(), clock.instant());
            mentions.replace(tx, id, mentioned);
            record(tx, caller, AuditLog.Action.POST_EDITED, id, owner);
            var newlyMentioned = people(mentioned);
            newlyMentioned.removeAll(people(before));
            var newEvents = new ArrayList<>(List.of(SocialEvents.post(SocialEvents.POST_EDITED, id, owner)));
            newEvents.addAll(mentionEvents(id, owner, store.parent(tx, id), newlyMentioned));
            events.append(tx, newEvents);
            // An admin who has blocked the owner still gets the post that they edited.
            var stored = store.find(tx, caller.user(), id).orElseGet(() -> find(tx, owner, id));
            return new Post(stored.card(), draft.content(), linked.html());
        });
    }

    /** Deletes up to {@code limit} posts of {@code owner}; returns how many. */
    public int deleteSome(Caller caller, UserId owner, int limit) {
        caller.requireOwnerOrAdmin(owner);
        return db.inTransaction(tx -> {
            var deleted = store.deleteSome(tx, owner, limit);
            events.append(
                    tx,
                    deleted.stream()
                            .map(id -> SocialEvents.post(SocialEvents.POST_DELETED, id, owner))
                            .toList());
            return deleted.size();
        });
    }

    /** Deletes the post; its replies stay, as posts of their own. */
    public void delete(Caller caller, PostId id) {
        db.useTransaction(tx -> {
            var owner =
                    store.lock(tx, id).orElseThrow(SocialProblem::postNotFound).owner();
            caller.requireOwnerOrAdmin(owner);
            store.delete(tx, id);
            record(tx, caller, AuditLog.Action.POST_DELETED, id, owner);
            events.append(tx, SocialEvents.post(SocialEvents.POST_DELETED, id, owner));
        });
    }

    /** What people do with their own posts is theirs. */
    private void record(Tx tx, Caller caller, AuditLog.Action action, PostId id, UserId owner) {
        if (!owner.equals(caller.user())) {
            audit.record(tx, caller, action, Target.of(TargetKind.POST, id.hex(), null, owner));
        }
    }

    private static Document link(Document document, Map<String, Mentioned> mentioned, List<String> tags) {
        return Tags.link(PostMentions.link(document, mentioned), tags);
    }

    /** The owner of a post that {@code author} replies to. */
    private UserId requireReplies(Tx tx, UserId author, PostId replyTo) {
        var parent = store.lockTarget(tx, author, replyTo).orElseThrow(SocialProblem::postNotFound);
        if (parent.blocked()) {
            throw SocialProblem.blocked();
        }
        if (!parent.allowReplies()) {
            throw SocialProblem.repliesNotAllowed();
        }
        return parent.owner();
    }

    /** The events of a new post. */
    private static List<NewEvent> events(
            PostId id, UserId author, @Nullable PostId replyTo, @Nullable UserId parent, Set<UserId> mentioned) {
        var all = new ArrayList<>(List.of(SocialEvents.post(SocialEvents.POST, id, author)));
        var target = replyTo == null || parent == null
                ? Optional.<PostStore.Parent>empty()
                : Optional.of(new PostStore.Parent(replyTo, parent));
        target.ifPresent(to -> all.add(SocialEvents.reply(id, author, to.id(), to.owner(), mentioned)));
        all.addAll(mentionEvents(id, author, target, mentioned));
        return all;
    }

    /** The mentions of a text: names that were in it before keep their meaning. */
    private Map<String, Mentioned> resolveKeeping(
            Map<String, Mentioned> before, Tx tx, UserId author, Document document) {
        var known = new HashMap<>(before);
        known.putAll(resolved(tx, author, PostMentions.in(document, before.keySet())));
        return PostMentions.meant(document, known);
    }

    /** The people who are meant by names; an agent is, also where others share its name. */
    private Map<String, Mentioned> resolved(Tx tx, UserId author, Set<String> names) {
        var known = new HashMap<>(mentions.resolve(tx, author, names));
        var unknown = names.stream().filter(name -> !known.containsKey(name)).toList();
        var answering = unknown.isEmpty() ? List.<UserId>of() : agents.apply(tx, unknown);
        if (!answering.isEmpty()) {
            known.putAll(mentions.among(tx, author, answering, unknown));
        }
        return known;
    }

    private static Set<UserId> people(Map<String, Mentioned> mentions) {
        return mentions.values().stream().map(Mentioned::id).collect(Collectors.toSet());
    }

    private static List<NewEvent> mentionEvents(
            PostId post, UserId author, Optional<PostStore.Parent> parent, Set<UserId> mentioned) {
        return mentioned.stream()
                .map(user -> parent.map(to -> SocialEvents.mentionInReply(post, author, user, to.id(), to.owner()))
                        .orElseGet(() -> SocialEvents.mention(post, author, user)))
                .toList();
    }

    private PostStore.Stored find(Reads reads, UserId viewer, PostId id) {
        return store.find(reads, viewer, id).orElseThrow(SocialProblem::postNotFound);
    }
}
