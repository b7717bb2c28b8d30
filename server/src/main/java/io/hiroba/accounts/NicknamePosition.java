package io.hiroba.accounts;

import io.hiroba.platform.http.Cursor;

/** A position in the list of users by nickname: right after this one. */
record NicknamePosition(String nickname, UserId id) {

    static final NicknamePosition START = new NicknamePosition("", new UserId(0));

    static NicknamePosition of(User user) {
        return new NicknamePosition(user.nickname().value(), user.id());
    }

    static NicknamePosition of(Cursor cursor) {
        return new NicknamePosition(cursor.text(0), new UserId(cursor.number(1)));
    }

    Cursor cursor() {
        return Cursor.of(nickname, Long.toString(id.value()));
    }
}
