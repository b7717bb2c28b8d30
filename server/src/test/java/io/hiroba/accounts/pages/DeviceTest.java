package io.hiroba.accounts.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceTest {

    @ParameterizedTest
    @CsvSource({
        "'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',Firefox on Linux",
        "'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',Safari on iPhone",
        "'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',Edge on Windows",
        "curl/8.5.0,curl",
        "'',A program"
    })
    void aBrowserIsNamedByWhatItCallsItself(String agent, String name) {
        assertThat(Device.name(agent)).hasToString(name);
    }
}
