package io.hiroba.social;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.markdown.Document;
import io.hiroba.platform.markdown.Markdown;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Posts: made, shown, changed and deleted. */
public final class Posts {

    private final Db db;
    private final IdGenerator ids;
    private final InstantSource clock;
    private final EventLog events;
    private final ActLimits limits;
    private final PostStore store = new PostStore();
    private final MentionStore mentions = new MentionStore();

    public Posts(Db db, IdGenerator ids, InstantSource clock, EventLog events, ActLimits limits) {
        this.db = db;
        this.ids = ids;
        this.clock = clock;
        this.events = events;
        this.limits = limits;
    }

    /** Counts a post that is about to be made or edited; {@code social.too-often} if there were too many. */
    public void admit(Caller caller) {
        limits.admitPost(caller);
    }

    public Post create(Caller caller, PostDraft draft) {
        admit(caller);
        return db.inTransaction(tx -> create(tx, caller, draft));
    }

    /** Makes a post in the caller's transaction, after {@link #admit}. */
    public Post create(Tx tx, Caller caller, PostDraft draft) {
        draft.requireLength(caller);
        var author = caller.user();
        var id = new PostId(ids.next());
        var document = Markdown.parse(draft.content());
        var told = new ArrayList<>(List.of(SocialEvents.post(SocialEvents.POST, id, author)));
        var replyTo = draft.replyTo();
        if (replyTo != null) {
            var parent = store.hold(tx, author, replyTo).orElseThrow(SocialProblem::postNotFound);
            requireReplies(parent);
            told.add(SocialEvents.reply(id, author, replyTo, parent.owner()));
        }
        var mentioned = mentions.resolve(tx, author, Mentions.in(document));
        var linked = Mentions.link(document, mentioned);
        store.insert(tx, id, author, draft, linked.snippet().json());
        mentions.insert(tx, id, mentioned);
        told.addAll(mentionEvents(id, author, mentioned.values()));
        events.append(tx, told);
        return new Post(find(tx, author, id).card(), draft.content(), linked.html());
    }

    public Post get(UserId viewer, PostId id) {
        return db.read(reads -> {
            var stored = find(reads, viewer, id);
            var document = Markdown.parse(stored.content());
            return new Post(
                    stored.card(),
                    stored.content(),
                    Mentions.link(document, mentions.of(reads, id)).html());
        });
    }

    /** What is written in the post, for who is in a transaction already; nothing if {@code viewer} may not read it. */
    public Optional<String> content(Reads reads, UserId viewer, PostId id) {
        return store.find(reads, viewer, id).map(PostStore.Stored::content);
    }

    /** Replaces content, tags and permissions; what it replies to stays. Only the newly mentioned are told. */
    public Post edit(Caller caller, PostId id, PostDraft draft) {
        draft.requireLength(caller);
        admit(caller);
        var document = Markdown.parse(draft.content());
        return db.inTransaction(tx -> {
            var owner = store.lockOwner(tx, id).orElseThrow(SocialProblem::postNotFound);
            caller.requireOwnerOrAdmin(owner);
            var before = mentions.of(tx, id);
            var mentioned = remember(before, tx, owner, document);
            var linked = Mentions.link(document, mentioned);
            store.update(tx, id, owner, draft, linked.snippet().json(), clock.instant());
            mentions.replace(tx, id, mentioned);
            var newcomers = new HashSet<>(mentioned.values());
            newcomers.removeAll(before.values());
            var told = new ArrayList<>(List.of(SocialEvents.post(SocialEvents.POST_EDITED, id, owner)));
            told.addAll(mentionEvents(id, owner, newcomers));
            events.append(tx, told);
            // An admin may have blocked the owner, and still sees what they made of the post.
            var stored = store.find(tx, caller.user(), id).orElseGet(() -> find(tx, owner, id));
            return new Post(stored.card(), draft.content(), linked.html());
        });
    }

    /** Deletes up to {@code most} posts of {@code owner}; answers how many. */
    public int deleteSome(Caller caller, UserId owner, int most) {
        caller.requireOwnerOrAdmin(owner);
        return db.inTransaction(tx -> {
            var gone = store.deleteSome(tx, owner, most);
            events.append(
                    tx,
                    gone.stream()
                            .map(id -> SocialEvents.post(SocialEvents.POST_DELETED, id, owner))
                            .toList());
            return gone.size();
        });
    }

    /** Deletes the post; its replies stay, as posts of their own. */
    public void delete(Caller caller, PostId id) {
        db.useTransaction(tx -> {
            var owner = store.lockOwner(tx, id).orElseThrow(SocialProblem::postNotFound);
            caller.requireOwnerOrAdmin(owner);
            store.delete(tx, id);
            events.append(tx, SocialEvents.post(SocialEvents.POST_DELETED, id, owner));
        });
    }

    private static void requireReplies(PostStore.Target parent) {
        if (parent.blocked()) {
            throw SocialProblem.blocked();
        }
        if (!parent.allowReplies()) {
            throw SocialProblem.repliesNotAllowed();
        }
    }

    /** Whom the text mentions: names that stood in it before keep their meaning. */
    private Map<String, UserId> remember(Map<String, UserId> before, Tx tx, UserId author, Document document) {
        var names = Mentions.in(document);
        var known = new HashMap<>(before);
        known.keySet().retainAll(names);
        names.removeAll(known.keySet());
        known.putAll(mentions.resolve(tx, author, names));
        return known;
    }

    private static List<NewEvent> mentionEvents(PostId post, UserId author, Collection<UserId> mentioned) {
        return mentioned.stream()
                .distinct()
                .map(user -> SocialEvents.mention(post, author, user))
                .toList();
    }

    private PostStore.Stored find(Reads reads, UserId viewer, PostId id) {
        return store.find(reads, viewer, id).orElseThrow(SocialProblem::postNotFound);
    }
}
