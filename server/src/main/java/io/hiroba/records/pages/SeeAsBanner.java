package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import org.jspecify.annotations.Nullable;

/**
 * The notice that an owner sees records as another would.
 *
 * @param text it in words
 * @param stop the URL of the same page as oneself
 */
public record SeeAsBanner(Text text, String stop) {

    static @Nullable SeeAsBanner of(PageContext context, ProjectAccess access, String stop) {
        var seenAs = access.seenAs();
        if (seenAs == null) {
            return null;
        }
        var role = Text.of("records.role." + ProjectHeader.label(access.role()));
        var member = seenAs.member();
        var text = member == null
                ? Text.of("records.seeing-as-role", "role", role)
                : Text.of(
                        "records.seeing-as-member",
                        "name",
                        context.person(member.hex()).map(Cell.Item::text).orElse(member.hex()),
                        "role",
                        role);
        return new SeeAsBanner(text, stop);
    }

    /** The one as whom the owner sees records, as in requests; null for oneself. */
    static @Nullable String given(ProjectAccess access) {
        var seenAs = access.seenAs();
        return seenAs == null ? null : seenAs.given();
    }

    /** The query string that keeps it; empty for oneself. */
    static String query(ProjectAccess access) {
        var given = given(access);
        return given == null ? "" : "?" + GridRequest.SEE_AS + "=" + RecordPaths.encoded(given);
    }
}
