console.write("1");
