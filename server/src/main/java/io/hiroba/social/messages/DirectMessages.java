package io.hiroba.social.messages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.events.EventLog.NewEvent;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.platform.search.SearchWords;
import io.hiroba.platform.text.Analysis;
import io.hiroba.platform.text.Phrase;
import io.hiroba.platform.text.TokenVector;
import io.hiroba.platform.text.TokenVector.Weight;
import io.hiroba.social.Author;
import io.hiroba.social.SocialEvents;
import io.hiroba.social.SocialProblem;
import io.hiroba.social.SocialRateLimits;
import io.hiroba.social.messages.MessageThread.ThreadMember;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The facade of direct messages. Only members of a thread read it: admins have no rights here, and one who acts as somebody is
 * refused.
 */
public final class DirectMessages {

    /** The most members of a thread. */
    public static final int MAX_MEMBERS = 10;

    /** The most characters of a message. */
    public static final int MAX_LENGTH = 10_000;

    private static final int MAX_TITLE = 200;

    private final Db db;
    private final IdGenerator ids;
    private final EventLog events;
    private final SocialRateLimits limits;
    private final Consumer<Collection<UserId>> changed;
    private final DirectMessageStore store = new DirectMessageStore();
    private final UnreadStore unread = new UnreadStore();

    /** @param changed is told, after the commit, of those whose threads have changed */
    public DirectMessages(
            Db db, IdGenerator ids, EventLog events, SocialRateLimits limits, Consumer<Collection<UserId>> changed) {
        this.db = db;
        this.ids = ids;
        this.events = events;
        this.limits = limits;
        this.changed = changed;
    }

    /**
     * The content of a message to be sent.
     *
     * @param content in Markdown
     * @param about the path of what an agent is asked about
     */
    public record MessageDraft(String content, @Nullable String about) {

        public MessageDraft {
            if (content.isBlank()) {
                throw SocialProblem.invalid("content", Text.of("social.field.empty"));
            }
            if (content.codePointCount(0, content.length()) > MAX_LENGTH) {
                throw SocialProblem.invalid("content", Text.of("social.field.too-long", "max", MAX_LENGTH));
            }
            if (about != null && !DirectMessage.isAbout(about)) {
                throw SocialProblem.invalid("about", Text.of("social.field.about"));
            }
        }

        public static MessageDraft of(String content) {
            return new MessageDraft(content, null);
        }
    }

    /** Counts a message that is about to be sent against the rate limit; {@code social.too-often} if there were too many. */
    public void admit(Caller caller) {
        limits.admitMessage(caller);
    }

    /** A thread that was asked for, and whether it is a new one. */
    public record Opened(ThreadId thread, boolean created) {}

    /** Opens a thread with these people: a group, or the one thread with somebody, which may be there already. */
    public Opened open(Tx tx, Caller caller, Collection<UserId> others) {
        caller.requireNotActing();
        var members = new LinkedHashSet<>(others);
        members.remove(caller.user());
        if (members.isEmpty() || members.size() >= MAX_MEMBERS) {
            throw SocialProblem.invalid("members", Text.of("social.field.members", "max", MAX_MEMBERS - 1));
        }
        if (store.people(tx, members).size() < members.size()) {
            throw SocialProblem.invalid("members", Text.of("social.field.nobody"));
        }
        if (store.isBlocked(tx, caller.user(), members)) {
            throw SocialProblem.blocked();
        }
        var id = new ThreadId(ids.next());
        if (members.size() > 1) {
            store.insertGroup(tx, id);
        } else {
            var other = members.getFirst();
            if (!store.insertPair(tx, id, caller.user(), other)) {
                return new Opened(
                        store.pair(tx, caller.user(), other).orElseThrow(SocialProblem::threadNotFound), false);
            }
        }
        members.add(caller.user());
        store.addMembers(tx, id, members);
        return new Opened(id, true);
    }

    /** Sends a message in the caller's transaction, after {@link #admit}. */
    public DirectMessage send(Tx tx, Caller caller, ThreadId thread, MessageDraft draft) {
        caller.requireNotActing();
        var sender = caller.user();
        var locked = store.lock(tx, thread, sender).orElseThrow(SocialProblem::threadNotFound);
        var members = store.members(tx, List.of(thread)).getOrDefault(thread, List.of()).stream()
                .map(ThreadMember::person)
                .toList();
        var others = members.stream()
                .map(Author::id)
                .filter(member -> !member.equals(sender))
                .toList();
        if (others.isEmpty()) {
            throw SocialProblem.threadAlone();
        }
        if (locked.pair() && store.isBlocked(tx, sender, others)) {
            throw SocialProblem.blocked();
        }
        var author = members.stream()
                .filter(member -> member.id().equals(sender))
                .findFirst()
                .orElseThrow(SocialProblem::threadNotFound);
        var message = new DirectMessage(
                new MessageId(ids.next()), thread, locked.lastNumber() + 1, author, draft.content(), draft.about());
        var document = Markdown.parse(draft.content());
        if (document.isBlank()) {
            throw SocialProblem.invalid("content", Text.of("social.field.empty"));
        }
        var text = document.text();
        // Whoever answers has read what was there.
        if (unread.read(tx, thread, sender, locked.lastNumber()).orElse(false)) {
            events.append(tx, SocialEvents.messagesRead(thread.hex(), sender));
        }
        var previous =
                store.at(tx, thread, locked.lastNumber()).map(MessageId::hex).orElse("");
        store.insert(tx, message, tokens(text, members));
        var seeing = unread.deliver(tx, message);
        events.append(
                tx,
                members.stream()
                        .filter(member -> !member.id().equals(sender) && seeing.contains(member.id()))
                        .map(member ->
                                event(message, previous, member, members, locked.pair() || mentions(text, member)))
                        .toList());
        tx.afterCommit(() -> changed.accept(seeing));
        return message;
    }

    /** The words of a message, and a mark for each who may find it. */
    private static String tokens(String text, List<Author> members) {
        var vector = new TokenVector();
        members.forEach(member -> vector.mark("@" + member.id().hex()));
        return vector.add(Analysis.tokens(text), Weight.TEXT).text();
    }

    /** Whether a text says the name of somebody after an at sign. */
    private static boolean mentions(String text, Author member) {
        return Pattern.compile(
                        "@" + Pattern.quote(member.nickname()) + "(?![\\p{L}\\p{N}_])",
                        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE)
                .matcher(text)
                .find();
    }

    /** @param addressed whether it is meant for this member, and not only for the group */
    private static NewEvent event(
            DirectMessage message, String previous, Author to, List<Author> members, boolean addressed) {
        var names = members.stream().map(Author::nickname).collect(Collectors.joining(", "));
        return NewEvent.of(to.id().value(), SocialEvents.MESSAGE)
                .with("messageId", message.id().hex())
                .with("previousId", previous)
                .with("threadId", message.thread().hex())
                .with("userId", message.sender().id().hex())
                .with("recipientId", to.id().hex())
                .with("recipientKind", to.agent() ? "agent" : "person")
                .with("addressed", addressed ? 1 : 0)
                .with(
                        "title",
                        names.codePointCount(0, names.length()) > MAX_TITLE
                                ? names.substring(0, names.offsetByCodePoints(0, MAX_TITLE)) + "…"
                                : names);
    }

    /** Notes that the caller has read a thread up to the message with this number. */
    public void read(Caller caller, ThreadId thread, int until) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            if (unread.read(tx, thread, caller.user(), until).orElseThrow(SocialProblem::threadNotFound)) {
                events.append(tx, SocialEvents.messagesRead(thread.hex(), caller.user()));
                var members = store.members(tx, List.of(thread)).getOrDefault(thread, List.of()).stream()
                        .map(member -> member.person().id())
                        .toList();
                // The others see who has read what.
                tx.afterCommit(() -> changed.accept(members));
            }
        });
    }

    /** Leaves a group: nothing of it is shown to the caller any more. */
    public void leave(Caller caller, ThreadId thread) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            var found = store.find(tx, caller.user(), thread).orElseThrow(SocialProblem::threadNotFound);
            if (found.pair() || !store.leave(tx, thread, caller.user())) {
                throw SocialProblem.pairNotLeft();
            }
            events.append(tx, SocialEvents.messagesRead(thread.hex(), caller.user()));
            tx.afterCommit(() -> changed.accept(List.of(caller.user())));
        });
    }

    /** Deletes a message of the caller for all members. */
    public void delete(Caller caller, ThreadId thread, MessageId message) {
        caller.requireNotActing();
        db.useTransaction(tx -> {
            if (store.lock(tx, thread, caller.user()).isEmpty()) {
                throw SocialProblem.threadNotFound();
            }
            if (!store.delete(tx, thread, message, caller.user())) {
                throw SocialProblem.messageNotFound();
            }
            recount(tx, List.of(thread));
        });
    }

    /** Counts what was deleted as unread no longer. */
    private void recount(Tx tx, Collection<ThreadId> threads) {
        var left = unread.recount(tx, threads);
        events.append(
                tx,
                left.stream()
                        .filter(each -> each.unread() == 0)
                        .map(each -> SocialEvents.messagesRead(each.thread().hex(), each.member()))
                        .toList());
        var members = left.stream().map(UnreadStore.Left::member).distinct().toList();
        tx.afterCommit(() -> changed.accept(members));
    }

    private void requireMember(Reads reads, Caller caller, ThreadId thread) {
        if (store.find(reads, caller.user(), thread).isEmpty()) {
            throw SocialProblem.threadNotFound();
        }
    }

    /** The threads of the caller, those with the newest messages first. */
    public List<MessageThread> threads(Caller caller, Optional<Long> before, int limit) {
        caller.requireNotActing();
        return db.read(reads ->
                complete(reads, caller, store.list(reads, caller.user(), before.orElse(Long.MAX_VALUE), limit)));
    }

    public MessageThread thread(Caller caller, ThreadId thread) {
        return db.read(reads -> thread(reads, caller, thread));
    }

    MessageThread thread(Reads reads, Caller caller, ThreadId thread) {
        caller.requireNotActing();
        var found = store.find(reads, caller.user(), thread).orElseThrow(SocialProblem::threadNotFound);
        return complete(reads, caller, List.of(found)).getFirst();
    }

    private List<MessageThread> complete(Reads reads, Caller caller, List<MessageThread> found) {
        var threads = found.stream().map(MessageThread::id).toList();
        var members = store.members(reads, threads);
        var newest = store.newest(reads, caller.user(), threads);
        return found.stream()
                .map(each -> new MessageThread(
                        each.id(),
                        members.getOrDefault(each.id(), List.of()),
                        each.pair(),
                        each.unread(),
                        newest.get(each.id()),
                        each.position()))
                .toList();
    }

    /** Messages of a thread before a number, the newest first. */
    public List<DirectMessage> messages(Caller caller, ThreadId thread, Optional<Integer> before, int limit) {
        return between(caller, thread, 0, before.orElse(Integer.MAX_VALUE), limit);
    }

    /** Messages of a thread after a number, the newest first. */
    List<DirectMessage> since(Caller caller, ThreadId thread, int after, int limit) {
        return between(caller, thread, after, Integer.MAX_VALUE, limit);
    }

    private List<DirectMessage> between(Caller caller, ThreadId thread, int after, int before, int limit) {
        caller.requireNotActing();
        return db.read(reads -> {
            requireMember(reads, caller, thread);
            return store.messages(reads, caller.user(), thread, after, before, limit);
        });
    }

    /** Messages, read in the caller's transaction; those that {@code viewer} may not read are left out. */
    public List<DirectMessage> find(Reads reads, UserId viewer, Collection<MessageId> ids) {
        return ids.isEmpty() ? List.of() : store.messages(reads, viewer, ids);
    }

    /** The messages before one that {@code viewer} may read, the oldest first. */
    public List<DirectMessage> before(Reads reads, UserId viewer, DirectMessage message, int limit) {
        return store.messages(reads, viewer, message.thread(), 0, message.number(), limit)
                .reversed();
    }

    /** The caller's messages that have all of these words, the newest first. */
    public List<DirectMessage> search(Caller caller, String typed, Optional<MessageId> before, int limit) {
        caller.requireNotActing();
        var words = SearchWords.of(typed).words().stream()
                .map(Phrase::of)
                .filter(phrase -> !phrase.isEmpty())
                .map(Phrase::tsquery)
                .toList();
        if (words.isEmpty()) {
            throw SocialProblem.badQuery(Text.of("social.query.empty"));
        }
        var query = Phrase.mark("@" + caller.user().hex()).tsquery() + " & " + String.join(" & ", words);
        return db.read(reads -> store.search(
                reads, caller.user(), query, before.map(MessageId::value).orElse(Long.MAX_VALUE), limit));
    }

    /** The people with these nicknames; a problem for one that nobody has, or several have. */
    List<UserId> named(Caller caller, Collection<String> names) {
        var found = db.read(reads -> store.named(reads, caller.user(), names));
        for (var name : names) {
            long count = found.stream()
                    .filter(person -> person.nickname().equalsIgnoreCase(name))
                    .distinct()
                    .count();
            if (count != 1) {
                throw SocialProblem.invalid(
                        "names",
                        Text.of(count == 0 ? "social.field.nobody-named" : "social.field.several-named", "name", name));
            }
        }
        return found.stream().map(Author::id).distinct().toList();
    }

    /** Those of {@code people} who exist. */
    public List<Author> people(Collection<UserId> people) {
        return db.read(reads -> store.people(reads, people));
    }

    /** How many threads have unread messages; at most {@code max}. */
    int unread(UserId reader, int max) {
        return Optional.ofNullable(db.read(reads -> unread.unread(reads, List.of(reader), max))
                        .get(reader))
                .map(UnreadStore.Unread::threads)
                .orElse(0);
    }

    /** Deletes up to {@code limit} messages of an account that is deleted; returns how many. */
    public int deleteSome(UserId sender, int limit) {
        return deleteSome(tx -> store.deleteSome(tx, sender, limit));
    }

    /** Deletes up to {@code limit} messages that are older than {@code before}; returns how many. */
    int deleteOlder(long before, int limit) {
        return deleteSome(tx -> store.deleteOlder(tx, before, limit));
    }

    private int deleteSome(Function<Tx, List<ThreadId>> deletion) {
        return db.inTransaction(tx -> {
            var threads = deletion.apply(tx);
            recount(tx, Set.copyOf(threads));
            return threads.size();
        });
    }
}
