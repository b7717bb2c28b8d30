package io.hiroba.records.pages;

import io.hiroba.accounts.User;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.web.Avatar;
import io.hiroba.records.Member;

/** A member of a project in a list, or somebody who may become one. */
public record MemberItem(String id, String nickname, Avatar avatar, String role, boolean isSelf) {

    static MemberItem of(Member member, UserId reader) {
        return new MemberItem(
                member.user().hex(),
                member.nickname(),
                Avatar.of(member.user().hex(), member.nickname(), member.avatar()),
                ProjectHead.label(member.role()),
                member.user().equals(reader));
    }

    static MemberItem of(User user) {
        var id = user.id().hex();
        var nickname = user.nickname().value();
        return new MemberItem(id, nickname, Avatar.of(id, nickname, user.avatar()), "", false);
    }
}
