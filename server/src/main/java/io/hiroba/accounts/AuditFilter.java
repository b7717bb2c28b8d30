package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The filters of the audit log; null for any.
 *
 * @param actor the person who acted
 * @param subject the account that it is about
 * @param to exclusive
 */
record AuditFilter(
        @Nullable UserId actor,
        @Nullable UserId subject,
        @Nullable Action action,
        @Nullable TargetKind kind,
        @Nullable String target,
        @Nullable String address,
        Instant from,
        Instant to) {

    /** The names of the filters in the API. */
    static final List<String> NAMES =
            List.of("actor", "subject", "action", "targetKind", "targetId", "address", "from", "to");

    /** No id is later. */
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    static final AuditFilter ALL = new AuditFilter(null, null, null, null, null, null, Instant.EPOCH, LATEST);

    AuditFilter {
        from = within(from);
        to = within(to);
        target = AuditStore.storable(target, AuditStore.MAX_TARGET_ID);
        address = AuditStore.storable(address, AuditStore.MAX_ADDRESS);
    }

    private static Instant within(Instant time) {
        return time.isAfter(LATEST) ? LATEST : time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time;
    }

    /** The filters as the API writes them, by their names. */
    static AuditFilter of(Map<String, String> values) {
        return new AuditFilter(
                user(values.get("actor")),
                user(values.get("subject")),
                constant("action", values, Action.values(), Action::find, Action::code),
                constant("targetKind", values, TargetKind.values(), TargetKind::find, TargetKind::code),
                values.get("targetId"),
                values.get("address"),
                time("from", values, ALL.from()),
                time("to", values, ALL.to()));
    }

    private static @Nullable UserId user(@Nullable String id) {
        return id == null ? null : UserId.parse(id);
    }

    private static Instant time(String name, Map<String, String> values, Instant otherwise) {
        var text = values.get(name);
        try {
            return text == null ? otherwise : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw HttpProblem.invalid(name, Text.of("http.field.time"));
        }
    }

    private static <E> @Nullable E constant(
            String name,
            Map<String, String> values,
            E[] all,
            Function<String, Optional<E>> find,
            Function<E, String> codes) {
        var code = values.get(name);
        if (code == null) {
            return null;
        }
        return find.apply(code).orElseThrow(() -> {
            var known = Arrays.stream(all).map(codes).collect(Collectors.joining(", "));
            return HttpProblem.invalid(name, Text.of("http.field.one-of", "values", known));
        });
    }

    /** The filters as the values of an entry about an export. */
    Changes asChanges() {
        return Changes.NONE
                .with("actor", null, actor)
                .with("subject", null, subject)
                .with("action", null, action)
                .with("targetKind", null, kind)
                .with("targetId", null, target)
                .with("address", null, address)
                .with("from", null, from.equals(ALL.from()) ? null : from)
                .with("to", null, to.equals(ALL.to()) ? null : to);
    }
}
