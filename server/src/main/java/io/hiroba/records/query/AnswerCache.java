package io.hiroba.records.query;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.platform.db.Db;
import io.hiroba.records.FormerNames;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectRole;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache of answers to queries on this node. An answer is returned only after the database has said that no record of its
 * schemas was written since the snapshot it was read in, nor their definitions, nor the caller's role changed: it is exact, on
 * any number of nodes and however late a transaction commits.
 */
final class AnswerCache {

    /** The time for which an answer may be used; changes are kept for longer, see {@link ChangeSweep}. */
    static final Duration MAX_AGE = Duration.ofMinutes(5);

    private static final long MAX_BYTES = 32 << 20;
    private static final int MAX_ANSWER_BYTES = 1 << 20;
    private static final int OVERHEAD = 500;
    private static final int ASKED = 1 << 14;

    private final Db queryDb;
    private final QueryStore store;
    private final AtomicIntegerArray asked = new AtomicIntegerArray(ASKED);
    private final Cache<Key, Answer<?>> answers = Caffeine.newBuilder()
            .maximumWeight(MAX_BYTES)
            .weigher((Key key, Answer<?> answer) -> OVERHEAD + answer.bytes())
            .expireAfterWrite(MAX_AGE)
            .build();

    private record Key(ProjectId project, ProjectRole role, Object question) {}

    /**
     * An answer with what it depends on.
     *
     * @param data the first snapshot that it was read in; null if it must not be kept
     * @param bytes its approximate size
     * @param at the time in nanoseconds before it was read
     */
    record Answer<T>(
            T value, AccessSnapshot access, @Nullable String data, int bytes, long at) {

        /** @param plan the plan of the query */
        static <T> Answer<T> of(T value, QueryPlan plan, @Nullable String data, int bytes, long at) {
            return new Answer<>(value, plan.snapshot(), isKept(plan) ? data : null, bytes, at);
        }

        /** Who asks by a former name is told so, which a kept answer does not know. */
        private static boolean isKept(QueryPlan plan) {
            return plan.isShared() && !FormerNames.wereUsed();
        }

        boolean isExpired() {
            return System.nanoTime() - at > MAX_AGE.toNanos();
        }
    }

    AnswerCache(Db queryDb, QueryStore store) {
        this.queryDb = queryDb;
        this.store = store;
    }

    /**
     * The cached answer if it is still right, and otherwise a computed one. It is kept from the second time on: most pages are
     * asked for once.
     *
     * @param question the query, with an answer of {@code type}
     */
    <T> T get(ProjectAccess access, Object question, Class<T> type, Supplier<Answer<T>> compute) {
        return find(access, question, type).orElseGet(() -> {
            var answer = compute.get();
            return wasAsked(key(access, question)) ? put(access, question, answer) : answer.value();
        });
    }

    /** Whether the question was among the last ones; a wrong answer costs nothing but memory. */
    private boolean wasAsked(Key key) {
        int hash = key.hashCode();
        return asked.getAndSet(hash & (ASKED - 1), hash) == hash;
    }

    /** Keeps the answer if it may be kept, and returns its value. */
    <T> T put(ProjectAccess access, Object question, Answer<T> answer) {
        if (answer.data() != null && answer.bytes() <= MAX_ANSWER_BYTES) {
            answers.put(key(access, question), answer);
        }
        return answer.value();
    }

    <T> Optional<T> find(ProjectAccess access, Object question, Class<T> type) {
        var key = key(access, question);
        var answer = answers.getIfPresent(key);
        if (answer == null || answer.data() == null) {
            return Optional.empty();
        }
        var data = answer.data();
        var snapshot = answer.access().of(access);
        boolean current = queryDb.read(reads -> store.isCurrent(reads, snapshot, data));
        // Looked at last: changes may have been swept since, if this thread was held up before the statement.
        if (!current || answer.isExpired()) {
            answers.asMap().remove(key, answer);
            return Optional.empty();
        }
        return Optional.of(type.cast(answer.value()));
    }

    private static Key key(ProjectAccess access, Object question) {
        return new Key(access.project().id(), access.role(), question);
    }
}
