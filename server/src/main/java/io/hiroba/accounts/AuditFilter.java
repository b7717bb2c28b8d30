package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Changes;
import io.hiroba.accounts.AuditLog.TargetKind;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.QueryParams;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
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
public record AuditFilter(
        @Nullable UserId actor,
        @Nullable UserId subject,
        @Nullable Action action,
        @Nullable TargetKind kind,
        @Nullable String target,
        @Nullable String address,
        Instant from,
        Instant to) {

    /** No id is later. */
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    static final AuditFilter ALL = new AuditFilter(null, null, null, null, null, null, Instant.EPOCH, LATEST);

    public AuditFilter {
        from = from.isAfter(LATEST) ? LATEST : from;
        to = to.isAfter(LATEST) ? LATEST : to;
        target = AuditStore.storable(target, AuditStore.MAX_TARGET_ID);
        address = AuditStore.storable(address, AuditStore.MAX_ADDRESS);
    }

    /** The filters in the query of a request. */
    public static AuditFilter of(Context ctx) {
        var params = QueryParams.of(ctx);
        return new AuditFilter(
                user(params.text("actor")),
                user(params.text("subject")),
                constant("action", params.text("action"), Action::find, Action.values(), Action::code),
                constant("targetKind", params.text("targetKind"), TargetKind::find, TargetKind.values(), TargetKind::code),
                params.text("targetId"),
                params.text("address"),
                params.time("from", ALL.from()),
                params.time("to", ALL.to()));
    }

    private static @Nullable UserId user(@Nullable String id) {
        return id == null ? null : UserId.parse(id);
    }

    private static <E> @Nullable E constant(
            String name, @Nullable String code, Function<String, Optional<E>> find, E[] all, Function<E, String> codes) {
        if (code == null) {
            return null;
        }
        return find.apply(code)
                .orElseThrow(() -> HttpProblem.invalid(
                        name,
                        Text.of(
                                "http.field.one-of",
                                "values",
                                Arrays.stream(all).map(codes).collect(Collectors.joining(", ")))));
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
