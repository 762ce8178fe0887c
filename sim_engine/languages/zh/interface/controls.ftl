### What stands on every dialog.

close = 关闭
