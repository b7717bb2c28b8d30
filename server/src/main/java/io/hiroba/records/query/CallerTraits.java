package io.hiroba.records.query;

import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Resolves the properties of a caller that a query may refer to, and their days of now. */
final class CallerTraits {

    private final Users users;
    private final InstantSource clock;

    CallerTraits(Users users, InstantSource clock) {
        this.users = users;
        this.clock = clock;
    }

    /** The condition with the days that it means now to {@code user}: those of the account's time zone, or UTC. */
    @Nullable
    Condition settled(UserId user, @Nullable Condition condition) {
        return Condition.settled(condition, () -> zone(users.find(user)), clock.instant());
    }

    /** The same in the caller's transaction. */
    @Nullable
    Condition settled(Reads reads, UserId user, @Nullable Condition condition) {
        return Condition.settled(condition, () -> zone(users.find(reads, user)), clock.instant());
    }

    /** The same of a condition as JSON. */
    JsonNode settled(UserId user, JsonNode condition) {
        return RelativeDays.settled(condition, zone(users.find(user)), clock.instant());
    }

    /** The condition of an aggregation with the days of its own time zone. */
    @Nullable
    Condition settled(@Nullable Condition condition, String zone) {
        return Condition.settled(condition, () -> ZoneId.of(Aggregates.zone(zone)), clock.instant());
    }

    Function<String, String> of(UserId user) {
        return of(user, () -> users.find(user));
    }

    /** The same in the caller's transaction. */
    Function<String, String> of(Reads reads, UserId user) {
        return of(user, () -> users.find(reads, user));
    }

    /** @param profile supplied only if the query refers to it */
    private static Function<String, String> of(UserId user, Supplier<Optional<Profile>> profile) {
        return name -> switch (name) {
            case "id" -> user.hex();
            case "nickname" -> known(profile).user().nickname().value();
            case "email" -> known(profile).user().email().value();
            default -> throw RecordsProblem.invalid("caller", Text.of("records.query.caller"));
        };
    }

    private static ZoneId zone(Optional<Profile> profile) {
        return profile.flatMap(each -> Optional.ofNullable(each.timeZone())).orElse(ZoneOffset.UTC);
    }

    private static Profile known(Supplier<Optional<Profile>> profile) {
        return profile.get().orElseThrow(RecordsProblem::noUser);
    }
}
