package io.hiroba.inbox;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The reason why a user has an item. The first fifteen are those of GitLab's to-do list, with its numbers. */
public enum Action {
    ASSIGNED(1),
    MENTIONED(2),
    BUILD_FAILED(3),
    MARKED(4),
    APPROVAL_REQUIRED(5),
    UNMERGEABLE(6),
    DIRECTLY_ADDRESSED(7),
    MERGE_TRAIN_REMOVED(8),
    REVIEW_REQUESTED(9),
    MEMBER_ACCESS_REQUESTED(10),
    REVIEW_SUBMITTED(11),
    OKR_CHECKIN_REQUESTED(12),
    ADDED_APPROVER(13),
    SSH_KEY_EXPIRED(14),
    SSH_KEY_EXPIRING_SOON(15),
    /** A saga that needs an operator. */
    SAGA_STUCK(101),
    /** A knowledge source that could not be ingested completely. */
    KNOWLEDGE_FAILED(102),
    /** A record that matches a saved query. */
    QUERY_MATCHED(103),
    ACCESS_TOKEN_EXPIRING(104),
    ACCESS_TOKEN_EXPIRED(105),
    /** A schedule that could not start a saga, or whose saga failed. */
    SCHEDULE_FAILED(106),
    /** The newest backup is older than it may be. */
    BACKUP_LATE(107),
    /** A backup that could not be restored on trial. */
    BACKUP_UNVERIFIED(108),
    /** A thread of direct messages with some that are unread. */
    MESSAGED(109),
    /** A project whose last owner is gone, and that is the user's now. */
    PROJECT_HANDED_OVER(110);

    private static final Map<Integer, Action> BY_CODE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Action::code, Function.identity()));
    private static final Map<String, Action> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Action::text, Function.identity()));

    private final int code;

    Action(int code) {
        this.code = code;
    }

    /** The number in the database. */
    public int code() {
        return code;
    }

    /** The name at every interface, for example {@code review_requested}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Action of(int code) {
        return Optional.ofNullable(BY_CODE.get(code)).orElseThrow();
    }

    public static Optional<Action> find(String text) {
        return Optional.ofNullable(BY_NAME.get(text));
    }

    /** Whether each request has an item of its own; otherwise one that is not done stands for those that follow. */
    public boolean isRepeatable() {
        return this == MENTIONED || this == DIRECTLY_ADDRESSED || this == MEMBER_ACCESS_REQUESTED;
    }

    /** Whether its author is not notified. */
    public boolean isForOthersOnly() {
        return this == MENTIONED || this == DIRECTLY_ADDRESSED || this == REVIEW_SUBMITTED || this == MESSAGED;
    }
}
