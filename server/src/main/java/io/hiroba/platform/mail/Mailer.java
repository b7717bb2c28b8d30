package io.hiroba.platform.mail;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.id.IdGenerator;
import io.hiroba.platform.task.WorkLoop;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Queues mails within transactions and sends them in the background. */
public final class Mailer implements AutoCloseable {

    private static final int MAX_RECENT = 500;

    /** The end of addresses that can be nobody's (RFC 2606), such as those of agents. */
    private static final String NOWHERE = ".invalid";

    private final Db db;
    private final IdGenerator ids;
    private final MailConfig.Limits limits;
    private final MailStore store = new MailStore();
    private final MailWorker worker;
    private final Counter queued;

    /** @param folder where mails are written as {@code .eml} files when no SMTP server is configured */
    public Mailer(Db db, IdGenerator ids, MailConfig config, Path folder, MeterRegistry meters) {
        this(db, ids, config, folder, meters, WorkLoop.FALLBACK_POLL);
    }

    Mailer(Db db, IdGenerator ids, MailConfig config, Path folder, MeterRegistry meters, Duration poll) {
        this.db = db;
        this.ids = ids;
        this.limits = config.limits();
        this.queued = Counter.builder("hiroba.mails.queued")
                .description("Mails accepted on this node")
                .register(meters);
        Gauge.builder(
                        "hiroba.mails.waiting",
                        this,
                        mailer -> mailer.oldestWaiting().toMillis() / 1000.0)
                .description("Age of the oldest mail that is neither sent nor given up")
                .baseUnit("seconds")
                .register(meters);
        this.worker = new MailWorker(db, store, delivery(config, folder), meters, poll);
    }

    private static MailTransport delivery(MailConfig config, Path folder) {
        return config.smtp().isConfigured() ? new SmtpTransport(config) : new FileTransport(config, folder);
    }

    /**
     * Queues {@code mail}: it is sent once {@code tx} commits, and never if it does not.
     *
     * @throws MailProblem {@code mail.too-many} with the time to wait when a limit is reached: a late code is of no
     *     use, so mails over the limit are refused instead of delayed
     */
    public void send(Tx tx, NewMail mail) {
        long id = ids.next();
        admit(tx, mail.to());
        queue(tx, id, mail, Duration.ZERO);
    }

    /**
     * Queues a mail that must not get lost, such as the notice of a changed password: over a limit it is delayed. It counts
     * like any other.
     */
    public void sendWithoutFail(Tx tx, NewMail mail) {
        long id = ids.next();
        store.lockLimits(tx);
        queue(tx, id, mail, store.untilAdmitted(tx, mail.to(), limits).orElse(Duration.ZERO));
    }

    /**
     * Queues a mail that can wait, such as a digest, unless half of a limit is used up: the rest is reserved for codes. Then
     * nothing is queued, and the result is the time until there is room.
     */
    public Optional<Duration> sendIfRoom(Tx tx, NewMail mail) {
        long id = ids.next();
        var wait = store.untilAdmitted(tx, mail.to(), limits.half());
        if (wait.isEmpty()) {
            store.lockLimits(tx);
            wait = store.untilAdmitted(tx, mail.to(), limits.half());
        }
        if (wait.isEmpty()) {
            queue(tx, id, mail, Duration.ZERO);
        }
        return wait;
    }

    private void queue(Tx tx, long id, NewMail mail, Duration pause) {
        if (mail.to().endsWith(NOWHERE)) {
            return;
        }
        store.insert(tx, id, mail, pause);
        tx.afterCommit(() -> {
            queued.increment();
            worker.wake();
        });
    }

    /**
     * Counts a mail to {@code to} without sending one, so that limits do not reveal whether the address is known. Throws as
     * {@link #send} does.
     */
    public void withhold(Tx tx, String to) {
        var address = MailAddress.canonical(to);
        long id = ids.next();
        admit(tx, address);
        store.insertWithheld(tx, id, address);
    }

    /** Blanks what was sent to {@code to} with a lifetime, such as a code that is used now. */
    public void blankUsed(Tx tx, String to) {
        store.blankUsed(tx, MailAddress.canonical(to));
    }

    /** Whether a mail to {@code to} would be accepted now. Only {@link #send} decides. */
    public boolean admits(String to) {
        var address = MailAddress.canonical(to);
        return db.read(reads -> store.untilAdmitted(reads, address, limits)).isEmpty();
    }

    /** The newest mails. Their content is for administrators only, which the caller must check. */
    public List<RecentMail> recent(int limit) {
        return db.read(reads -> store.recent(reads, Math.clamp(limit, 1, MAX_RECENT)));
    }

    /** The age of the oldest unsent mail; zero if there is none. */
    public Duration oldestWaiting() {
        return db.read(store::oldestWaiting);
    }

    /** The number of unsent mails, counted up to {@code max}. */
    public int waiting(int max) {
        return db.read(reads -> store.waiting(reads, max));
    }

    /** Lets running deliveries finish; the rest is left to other nodes or the next start. */
    @Override
    public void close() {
        worker.close();
    }

    MailWorker worker() {
        return worker;
    }

    /**
     * Checks the limits before it locks, so that a flood of refused mails does not wait for the lock. The id is generated
     * before: that may need another connection, which the waiting transactions might hold.
     */
    private void admit(Tx tx, String to) {
        store.untilAdmitted(tx, to, limits).ifPresent(wait -> {
            throw MailProblem.tooMany(wait);
        });
        store.lockLimits(tx);
        store.untilAdmitted(tx, to, limits).ifPresent(wait -> {
            throw MailProblem.tooMany(wait);
        });
    }
}
