# shellcheck shell=bash
# The words of the launcher in Simplified Chinese; each language has the same keys.

usage() {
  cat <<'END'
用法：./hiroba <命令>

  up [--port 8080] [--data DIR] [--demo] [--foreground] [--key=value …]
                      需要时构建，在后台启动，并等到就绪；
                      --demo 会填充一个供浏览的小社区，仅一次
  stop [--data DIR]   停止；进行中的请求会先完成
  status [--data DIR] 是否在运行、在何处运行（退出码 3：没有运行）
  doctor [--data DIR] 有什么、缺什么以及如何解决
  config [--key=value …]  生效的配置，机密已隐去
  models install 名称 --from 文件夹|文件|ZIP|地址 [--sha256 …] …
                      安装搜索用的模型（.onnx 文件和 tokenizer.json）
  models list、models remove 名称
  backup --to 文件夹|s3://BUCKET/PATH [--data DIR] [--limit 20MB/s] [--keep 30d] [--key-file 文件]
                      在运行中做完整备份
  backup list [--from 文件夹]、backup verify [--from 文件夹] [--instance 名称] [--key-file 文件]
                      列出已有的备份；试恢复最新的备份
  restore --from 文件夹|s3://BUCKET/PATH [--time 2026-12-01T10:00:00Z] [--instance 名称] [--key-file 文件] --data 新文件夹
                      恢复到新的数据文件夹
  backup --feature saga --to 文件夹 [--keep 30d]、restore --feature saga --from 文件夹
                      只备份一个功能，并恢复到同一数据库
  upgrade-database [--programs 文件夹] [--undo | --finish]
                      将数据库升级到此PostgreSQL、退回，或删除原来的
  psql [--data DIR] [--write] [psql 的选项 …]
                      在运行中的数据库里打开只读的 shell；加 --write 也可修改行
  pg_dump [--data DIR] [pg_dump 的选项 …]
                      转储运行中的数据库
  test                运行所有检查和测试
  test --fast         不含检查，也不含打开浏览器、杀死服务器或耗时较长的测试
  test <功能> …       只运行这些功能（例如 records）和架构的测试
  test --coverage     所有测试，以及各功能的覆盖率
  test --mutation     两个包的测试能否发现代码被改动
  bench [名称]        对照极限和同类产品测量性能
  bench <名称> --against <检出目录>
                      通过 HTTP 轮流测量本构建和另一检出目录的构建
  chaos activity [--minutes 10] [--seed n]
                      随机杀死服务器和连接；检查卡片有无丢失或重复
  chaos saga [--minutes 10] [--seed n]
                      随机并在要害处杀死节点；检查每个 Saga 是否都已完成或补偿
  chaos knowledge [--minutes 10] [--seed n]
                      在嵌入服务出错时杀死服务器；检查段落或消息有无丢失或重复
  chaos agents [--minutes 10] [--seed n]
                      在聊天模型出错时杀死服务器；检查每个问题是否都有一个回答或原因
  chaos everything [--minutes 10] [--seed n]
                      杀死服务器和数据库；检查所有已确认的内容是否都恰好存在一份
  dist                制作无需 Java、Maven、编译器和网络即可运行的归档；最后一行是它的路径
  dist --deb, --oci   同时制作带服务的 Debian 软件包和容器镜像（基于 --base ROOT.tar 或 Debian）
  version, help

其余命令都交给客户端：./hiroba login、./hiroba post "…"、./hiroba feed 等（./hiroba --help 会全部列出）。

变量：HIROBA_JAVA_HOME（使用哪个 JDK）、HIROBA_JAVA_OPTS（服务器 JVM 的更多选项）、
HIROBA_ADMIN_EMAIL 和 HIROBA_ADMIN_PASSWORD（首位管理员）、HIROBA_DATABASE_URL（你自己的 PostgreSQL）、
HIROBA_DATA（数据文件夹）。每项设置都有这样的变量：见 ./hiroba config。
END
}

text() { # key, what the text is about
  local key=$1; shift
  case $key in
    waiting-for-build) say "正在等待另一个构建" ;;
    waiting-for-start) say "正在等待 $1 上的另一次启动" ;;
    building) say "· 正在构建 $1" ;;
    build-failed) say "构建失败。全部输出见：$1" ;;
    not-writable) say "你没有 $1 的写权限，无法在其中构建。" ;;

    install-yourself) say "请用系统的软件包管理器安装 $1" ;;
    jdk-advice) say "请安装一个（$1，或任何厂商的 JDK 25）；如果它不在常见的位置，请将 HIROBA_JAVA_HOME 设为它所在的文件夹。" ;;
    jdk-unusable) say "HIROBA_JAVA_HOME 为 $1，它不是 JDK 25 或更新的版本。请更正或取消设置。" ;;
    jdk-missing) say "没有找到 JDK 25 或更新的版本。$1" ;;
    maven-missing) say "没有找到用于构建 Hiroba 的 Maven。请安装：$1" ;;

    if-need-be) say "需要时构建，" ;;
    no-command) say "没有命令 $1。全部命令：${me} help" ;;
    no-command-but) say "没有命令 $1：你是指 $2 吗？全部命令：${me} help" ;;
    needs-a-value) say "$1 需要一个值。" ;;
    unexpected-argument) say "多余的参数 $1：设置请写成 --key=value 的形式。" ;;
    port-range) say "--port 应为不大于 65535 的数字，而不是 $1。" ;;
    unknown-option) say "$1 不支持 $2。" ;;
    unclear-data) say "无法确定 $1 中 data 的设置：请在行首写 \`data: /a/folder\`，或使用 --data。" ;;

    running-already) say "Hiroba 已在运行：$1（pid $2，数据位于 $3）" ;;
    demo-there) say "演示社区已经存在：没有填充任何内容。" ;;
    demo-at-start) say "演示社区在启动时填充：请先执行 ${me} stop，再执行 ${me} up --demo" ;;
    demo-bar) say "· 正在填充演示社区" ;;
    demo-percent) say "· 正在填充演示社区：$1 %" ;;
    port-taken) say "端口 $1 已被其他程序占用：请用 --port 选择另一个端口。" ;;
    data-not-made) say "无法创建数据文件夹 $1：请用 --data 选择另一个文件夹。" ;;
    not-readable) say "你无权读取数据文件夹 $1：请以其所有者的身份运行。" ;;
    package-settings) say "你无权读取软件包的设置 $1：请用 \`runuser -u hiroba -- hiroba …\` 以其用户身份运行，或用 --data 指定自己的文件夹。" ;;
    unfinished-restore) say "$1 是未完成的恢复，不能在其上运行：请重新执行恢复命令，并启动它最后给出的文件夹。" ;;
    own-database) say "数据库不是内置的：请用 database.url 中的地址运行 $1。" ;;
    data-not-writable) say "你没有数据文件夹 $1 的写权限：请用 --data 选择另一个文件夹。" ;;
    stopping) say "· 正在停止" ;;
    preparing) say "· 正在为快速启动做准备" ;;
    ended-early) say "Hiroba 在就绪之前已退出（退出码 $1）。日志：$2 和 $3" ;;
    not-running) say "$1 上的 Hiroba 没有运行。" ;;
    not-running-start) say "$1 上的 Hiroba 没有运行。启动：${me} up" ;;
    running-ready) say "Hiroba 正在运行：$1（已就绪，pid $2，数据位于 $3）" ;;
    running-not-ready) say "Hiroba 正在运行：$1（尚未就绪，pid $2，数据位于 $3）" ;;
    not-yours) say "你无权停止进程 $1：请以启动它的用户身份停止。" ;;
    not-stopped) say "进程 $1 在 100 秒内没有停止。请查看 $2；kill -9 $1 可结束它，已确认的内容不会丢失。" ;;
    waiting-for-requests) say "· 正在等待进行中的请求和步骤" ;;
    stopped) say "Hiroba 已停止。" ;;

    to-run) say "运行 Hiroba 所需：" ;;
    to-test) say "仅 ${me} test 所需：" ;;
    the-server) say "服务器：" ;;
    jdk-found) say "$1（$2）" ;;
    jdk-none) say "没有 25 版本。$1" ;;
    not-found) say "未找到：$1" ;;
    disk-free) say "$2 可用空间 $1 GB" ;;
    disk-full) say "$2 仅剩 $1 MB 可用空间：请腾出空间，或用 --data 选择另一个文件夹" ;;
    clock-kept) say "已与时间服务器同步" ;;
    clock-loose) say "未与时间服务器同步：timedatectl set-ntp true" ;;
    clock-unknown) say "此处无法查询：请确认由时间服务器校准" ;;
    not-built) say "尚未构建，或比源代码旧：${me} up 会构建它" ;;
    built) say "已构建" ;;
    gcc-found) say "系统没有 pgvector 时用于构建它" ;;
    gcc-none) say "未找到；仅在系统没有 pgvector 时需要：$1" ;;
    apt-found) say "系统没有 pgvector 时用于获取它" ;;
    apt-none) say "未找到：pgvector 须由系统或 HIROBA_DATABASE_URL 所指定的数据库提供" ;;
    runs-at) say "$1（pid $2）" ;;
    runs-not) say "否：${me} up" ;;
    database-later) say "构建服务器后即可检查" ;;

    missing-for-tests) say "部分测试缺少以下软件，且无法自动安装：$1" ;;
    installing) say "· 正在安装测试所需：$1" ;;
    not-installed) say "无法安装：$1（见 target/install.log）" ;;
    failed-outside) say "构建在测试之外失败，计为一次失败。" ;;
    no-test-ran) say "没有运行任何测试，计为一次失败。" ;;
    checks-wait) say "· 正在等待 Error Prone、NullAway 和格式检查" ;;
    checks-passed) say "· 通过：Error Prone、NullAway 和格式" ;;
    checks-failed) say "检查失败。全部输出见：target/checks.log" ;;
    no-coverage) say "没有统计覆盖率" ;;
    coverage-head) say "覆盖率            行      分支（总计不含模板）" ;;
    coverage-lines) say "逐行结果：target/coverage/hiroba-server/index.html" ;;
    mutation-failed) say "变异测试失败：原因见上。" ;;
    mutation-changes) say "逐项变更：target/mutation/index.html" ;;
    no-feature) say "没有可测试的功能“$1”。现有：$2" ;;
    run-again) say "· 失败，再运行一次：$1" ;;
    tests-build-failed) say "构建失败：原因见上" ;;
    run-twice) say "因首次有测试失败而运行了两次：$1" ;;

    needs-checkout) say "$1 需要源代码的检出，这里没有。" ;;
    dist-linux) say "dist 只能在 amd64 或 arm64 的 Linux 机器上制作供其使用的归档。" ;;
    dist-java) say "· 正在制作 Java 运行时" ;;
    dist-archive) say "· 正在打包" ;;
    dist-deb) say "· 正在制作 Debian 软件包" ;;
    dist-oci) say "· 正在制作容器镜像" ;;
    dist-base) say "镜像的基础通过 apt-get 从 Debian 获取，而这里没有：请用 --base 指定您自己的 tar。" ;;
    dist-failed) say "无法制作归档。请查看 $1" ;;
    dist-size) say "· 解压后 $1 MB，归档 $2 MB" ;;
    *) say "$key" ;;
  esac
}

label() { # of a line of the doctor, twelve columns wide
  case $1 in
    disk) printf '磁盘        ' ;;
    clock) printf '时钟        ' ;;
    browser) printf '浏览器      ' ;;
    running) printf '运行中      ' ;;
    database) printf '数据库      ' ;;
    *) printf '%-12s' "$1" ;;
  esac
}
