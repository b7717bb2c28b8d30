package io.hiroba.accounts;

import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A replacement of a whole profile: null clears an optional field.
 *
 * @param admin null leaves it as it is; only an admin may change it
 * @param email null leaves it as it is; only an admin may change it without a mailed code, and not their own
 */
public record UserUpdate(
        Nickname nickname,
        String introduction,
        @Nullable String avatar,
        @Nullable String aiModel,
        @Nullable String aiPersonality,
        @Nullable ZoneId timeZone,
        @Nullable Boolean admin,
        @Nullable Email email,
        @Nullable Language language) {

    static final int MAX_INTRODUCTION = 2500;
    static final int MAX_PERSONALITY = 2500;
    static final int MAX_AI_MODEL = 50;
    static final int COLUMN_INTRODUCTION = 65_535;
    static final int COLUMN_PERSONALITY = 5000;

    private static final Pattern PICTURE = Pattern.compile("/media/([0-7][0-9A-F]{15})/[0-7][0-9A-F]{15}\\.(jpg|png)");

    public UserUpdate {
        if (aiModel != null && aiModel.codePointCount(0, aiModel.length()) > MAX_AI_MODEL) {
            throw AccountsProblem.invalid("aiModel", Text.of("accounts.field.unknown-model"));
        }
    }

    /** A profile in no language of its own. */
    public UserUpdate(
            Nickname nickname,
            String introduction,
            @Nullable String avatar,
            @Nullable String aiModel,
            @Nullable String aiPersonality,
            @Nullable ZoneId timeZone,
            @Nullable Boolean admin,
            @Nullable Email email) {
        this(nickname, introduction, avatar, aiModel, aiPersonality, timeZone, admin, email, null);
    }

    /** The profile as it is, to change single parts of. */
    public static UserUpdate of(Profile profile) {
        var user = profile.user();
        return new UserUpdate(
                user.nickname(),
                profile.introduction(),
                user.avatar(),
                user.aiModel(),
                profile.aiPersonality(),
                profile.timeZone(),
                null,
                null,
                profile.language());
    }

    /** The same with another nickname, role and address. */
    public UserUpdate with(Nickname other, @Nullable Boolean role, @Nullable Email address) {
        return new UserUpdate(other, introduction, avatar, aiModel, aiPersonality, timeZone, role, address, language);
    }

    /** The same without a role or an address that the account has already. */
    UserUpdate changing(User before) {
        return new UserUpdate(
                nickname,
                introduction,
                avatar,
                aiModel,
                aiPersonality,
                timeZone,
                Objects.equals(admin, before.admin()) ? null : admin,
                before.email().equals(email) ? null : email,
                language);
    }

    /** An avatar stays as it is, goes, or is one of the owner's own pictures, whose paths name their owner. */
    void requireOwnAvatar(User before) {
        if (avatar == null || avatar.equals(before.avatar())) {
            return;
        }
        var picture = PICTURE.matcher(avatar);
        if (!picture.matches() || !picture.group(1).equals(before.id().hex())) {
            throw AccountsProblem.invalid("avatar", Text.of("accounts.field.picture"));
        }
    }

    /** Whether it takes an admin. */
    boolean isPrivileged() {
        return admin != null || email != null;
    }

    /** Reads a zone such as {@code Asia/Tokyo}. */
    public static ZoneId timeZone(String name) {
        try {
            if (name.length() <= 50) {
                return ZoneId.of(name);
            }
        } catch (DateTimeException e) {
            // Answered below, as the overlong name is.
        }
        throw AccountsProblem.invalid("timeZone", Text.of("accounts.field.zone"));
    }

    /** Reads the code of a language such as {@code ja}. */
    public static Language language(String code) {
        return Language.of(code)
                .orElseThrow(() ->
                        AccountsProblem.invalid("language", Text.of("http.field.one-of", "values", Language.codes())));
    }

    /** Texts have limits for people; an admin is held by the columns only. */
    void requireLengths(boolean byAdmin) {
        requireLength("introduction", introduction, byAdmin ? COLUMN_INTRODUCTION : MAX_INTRODUCTION);
        if (aiPersonality != null) {
            requireLength("aiPersonality", aiPersonality, byAdmin ? COLUMN_PERSONALITY : MAX_PERSONALITY);
        }
    }

    private static void requireLength(String field, String text, int limit) {
        if (text.codePointCount(0, text.length()) > limit) {
            throw AccountsProblem.invalid(field, Text.of("accounts.field.too-long", "max", limit));
        }
    }
}
